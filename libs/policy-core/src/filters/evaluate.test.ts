import { describe, expect, it } from "@jest/globals";
import { Faults } from "../json.ts";
import { bindValues } from "../values/bind.ts";
import { evaluateFilter, evaluateLeaves, type FilterOutcome } from "./evaluate.ts";
import { readFilters } from "./read.ts";
import { resolveFilter } from "./resolve.ts";

const evaluate = (json: unknown, token?: Record<string, unknown>, inputParams = {}): FilterOutcome => {
  const faults = new Faults();
  const raw = readFilters(json, "filter", faults);
  const resolved = resolveFilter(raw, { language: "kbac", bindings: undefined }, faults);
  if (resolved === undefined || !faults.none) throw new Error(faults.list.join("; "));
  return evaluateFilter(resolved.filter, bindValues(resolved.needs, { inputParams, token }));
};

const leaf = (
  operator: string,
  attribute: string,
  value?: unknown,
  error?: string,
): Record<string, unknown> => ({
  operator,
  attribute,
  ...(value === undefined ? {} : { value }),
  ...(error === undefined ? {} : { advice: { error } }),
});

describe("a filter without the graph", () => {
  it("is true only when every leaf is", () => {
    expect(evaluate(leaf("CONTAINS", "$token.scope", "sign"), { scope: "read sign" }).truth).toBe(true);
    expect(evaluate(leaf("CONTAINS", "$token.scope", "sign"), { scope: "read" }).truth).toBe(false);
  });

  it("fails for a missing claim with =, <> and NOT =", () => {
    expect(evaluate(leaf("=", "$token.plan", "a"), {}).truth).toBeNull();
    expect(evaluate(leaf("<>", "$token.plan", "a"), {}).truth).toBeNull();
    expect(evaluate({ operator: "NOT", operands: [leaf("=", "$token.plan", "a")] }, {}).truth).toBeNull();
  });

  it("fails closed without a token, IS NULL and NOT included", () => {
    expect(evaluate(leaf("IS NULL", "$token.plan")).truth).not.toBe(true);
    expect(evaluate({ operator: "NOT", operands: [leaf("=", "$token.plan", "a")] }).truth).not.toBe(true);
    expect(evaluate(leaf("IS NULL", "$token.plan"), {}).truth).toBe(true);
    expect(evaluate(leaf("=", "$token.plan", "a")).tokenMissing).toBe(true);
  });

  it("walks nested claims and reads a step into a text as null", () => {
    expect(evaluate(leaf("=", "$token.act.sub", "x"), { act: { sub: "x" } }).truth).toBe(true);
    expect(evaluate(leaf("=", "$token.act.sub", "x"), { act: "x" }).truth).toBeNull();
    expect(evaluate(leaf("IS NULL", "$token.__proto__.x"), {}).truth).toBe(true);
  });

  it("takes an array as AND, and [] as no restriction", () => {
    const both = [leaf("=", "$token.a", 1), leaf("=", "$token.b", 2)];
    expect(evaluate(both, { a: 1, b: 2 }).truth).toBe(true);
    expect(evaluate(both, { a: 1 }).truth).toBeNull();
    expect(readFilters([], "filter", new Faults())).toBeUndefined();
  });

  it("compares with input parameters", () => {
    expect(evaluate(leaf("IN", "$channel", ["web"]), undefined, { channel: "web" }).truth).toBe(true);
    expect(evaluate(leaf("<=", "$token.level", "$max"), { level: 2 }, { max: 3 }).truth).toBe(true);
    expect(evaluate(leaf("<=", "$token.level", "$max"), { level: 2 }, { max: "3" }).truth).toBeNull();
  });
});

describe("instants and patterns without the graph", () => {
  const since = { type: "datetime", value: "2026-01-01T00:00:00Z" };

  it("compares a claim in epoch seconds with a datetime", () => {
    expect(
      evaluate({ operator: ">", attribute: "$token.iat", value: since }, { iat: 1_767_225_601 }).truth,
    ).toBe(true);
    expect(
      evaluate({ operator: ">", attribute: "$token.iat", value: since }, { iat: 1_767_225_599 }).truth,
    ).toBe(false);
    expect(
      evaluate({ operator: "<>", attribute: "$token.iat", value: since }, { iat: "today" }).truth,
    ).toBeNull();
    expect(evaluate({ operator: "<>", attribute: "$token.iat", value: since }, {}).truth).toBeNull();
  });

  it("takes a datetime as the attribute, from a parameter or a literal", () => {
    const until = { operator: "<=", attribute: { type: "datetime", value: "$at" }, value: "$token.exp" };
    expect(evaluate(until, { exp: 1_767_225_600 }, { at: "2026-01-01T01:00:00+01:00" }).truth).toBe(true);
    expect(evaluate({ ...until, attribute: since }, { exp: 1_767_225_599 }).truth).toBe(false);
  });

  it("fails closed without a token", () => {
    const never = { operator: "NOT", operands: [{ operator: ">", attribute: "$token.iat", value: since }] };
    expect(evaluate(never).truth).toBeNull();
    expect(evaluate(never).tokenMissing).toBe(true);
  });

  it("matches the whole of a claim, and finds nothing out where a claim is no pattern", () => {
    expect(evaluate(leaf("=~", "$token.sub", "n[0-9]+"), { sub: "n12" }).truth).toBe(true);
    expect(evaluate(leaf("=~", "$token.sub", "n[0-9]"), { sub: "n12" }).truth).toBe(false);
    expect(evaluate(leaf("=~", "$name", "$token.allowed"), { allowed: "a.*" }, { name: "abc" }).truth).toBe(
      true,
    );
    expect(
      evaluate(leaf("=~", "$name", "$token.allowed"), { allowed: "(a" }, { name: "abc" }).truth,
    ).toBeNull();
    expect(evaluate(leaf("=~", "$token.sub", "5"), { sub: 5 }).truth).toBeNull();
  });

  it("reads a lone surrogate is not well-formed Unicode as the database does", () => {
    expect(evaluate(leaf("=", "$token.a", "\uFFFD"), { a: "\uD800" }).truth).toBe(true);
  });
});

describe("advice of a filter that is not true", () => {
  const errors = (outcome: FilterOutcome): (string | undefined)[] => outcome.advice.map(({ error }) => error);

  it("takes the leaves under AND that are not true, in document order", () => {
    const filter = {
      operator: "AND",
      operands: [leaf("=", "$token.a", 1, "a"), leaf("=", "$token.b", 1, "b"), leaf("=", "$token.c", 1, "c")],
    };
    expect(errors(evaluate(filter, { b: 1 }))).toEqual(["a", "c"]);
  });

  it("takes all leaves under a failed OR, and the leaf under a failed NOT", () => {
    const or = { operator: "OR", operands: [leaf("=", "$token.a", 1, "a"), leaf("=", "$token.b", 1, "b")] };
    expect(errors(evaluate(or, {}))).toEqual(["a", "b"]);
    expect(
      errors(evaluate({ operator: "NOT", operands: [leaf("=", "$token.a", 1, "a")] }, { a: 1 })),
    ).toEqual(["a"]);
  });

  it("turns round under NOT: what is true there fails, and only branches that are not true advise", () => {
    const either = (operator: string, error: string, ...operands: object[]) => ({
      operator,
      operands,
      advice: { error },
    });
    const [yes, no] = [leaf("=", "$a", 1, "yes"), leaf("=", "$a", 2, "no")];
    const found = (filter: object) => {
      const outcome = evaluate(filter, undefined, { a: 1 });
      return [errors(outcome), outcome.failing.map((each) => each.leaf.advice?.error)];
    };
    expect(found(either("NOT", "not", either("AND", "and", yes, yes)))).toEqual([
      ["not", "yes"],
      ["yes", "yes"],
    ]);
    expect(found(either("NOT", "not", either("OR", "or", yes, no)))).toEqual([["not", "yes"], ["yes"]]);
    expect(found({ operator: "NOT", operands: [{ operator: "NOT", operands: [no] }] })).toEqual([
      ["no"],
      ["no"],
    ]);
  });

  it("says of each leaf whether it would have to be false", () => {
    const not = (...operands: object[]) => ({ operator: "NOT", operands });
    const bronze = leaf("=", "$token.acr", "bronze");
    const scope = leaf("CONTAINS", "$token.scope", "write");
    const negatedOf = (filter: unknown) =>
      evaluate(filter, { acr: "bronze", scope: "read" }).failing.map(({ isNegated }) => isNegated);
    expect(negatedOf([scope, not(bronze)])).toEqual([false, true]);
    expect(negatedOf(not(not(scope)))).toEqual([false]);
    expect(negatedOf(not({ operator: "OR", operands: [bronze, not(scope)] }))).toEqual([true, false]);
  });

  it("counts advice of a branch that is not true, and each advice once", () => {
    const filter = {
      operator: "AND",
      advice: { error: "both" },
      operands: [leaf("=", "$token.a", 1, "x"), leaf("=", "$token.b", 1, "x")],
    };
    expect(errors(evaluate(filter, {}))).toEqual(["both", "x"]);
    expect(errors(evaluate(filter, { a: 1, b: 1 }))).toEqual([]);
  });
});

describe("the leaves of a filter", () => {
  it("are evaluated each by itself, also behind one that decides", () => {
    const json = {
      operator: "AND",
      operands: [
        leaf("=", "$token.plan", "a"),
        { operator: "OR", operands: [leaf("=", "$limit", 1), leaf("IS NULL", "$token.scope")] },
      ],
    };
    const faults = new Faults();
    const resolved = resolveFilter(
      readFilters(json, "filter", faults),
      { language: "kbac", bindings: undefined },
      faults,
    );
    if (resolved === undefined) throw new Error(faults.list.join("; "));
    const values = bindValues(resolved.needs, { inputParams: { limit: 1 }, token: { plan: "b" } });
    expect(evaluateLeaves(resolved.filter, values).map(({ leaf: { path }, truth }) => [path, truth])).toEqual(
      [
        ["filter.operands[0]", false],
        ["filter.operands[1].operands[0]", true],
        ["filter.operands[1].operands[1]", true],
      ],
    );
  });
});

import { describe, expect, it } from "@jest/globals";
import { printTree } from "./printer.ts";
import type { Expression, LabelExpression } from "./ast.ts";

const at = 0;
const text = (value: string): Expression => ({ kind: "string", value, at });
const float = (value: number): Expression => ({ kind: "float", value, at });
const label = (name: string): LabelExpression => ({ kind: "label", name, at });

describe("literals", () => {
  it.each([
    ["", "''"],
    ["it's", "'it\\'s'"],
    ['say "hi"', "'say \"hi\"'"],
    ["a\\b", "'a\\\\b'"],
    ["\n\r\t\b\f", "'\\n\\r\\t\\b\\f'"],
    ["é\u0000😀", "'é\u0000😀'"],
    // A backslash before a u would be decoded before the statement is read.
    ["a\\u0027b", "('a\\\\' + 'u0027b')"],
    ["\\u\\u", "('\\\\' + 'u\\\\' + 'u')"],
  ])("string %j is %s", (value, expected) => {
    expect(printTree(text(value))).toBe(expected);
  });

  it.each([
    [5, "5.0"],
    [0.5, "0.5"],
    [1e21, "1e21"],
    [1e-7, "1e-7"],
    [5e-324, "5e-324"],
    [Number.MAX_VALUE, "1.7976931348623157e308"],
  ])("float %d is %s", (value, expected) => {
    expect(printTree(float(value))).toBe(expected);
  });

  it("integers beyond the safe range stay exact", () => {
    expect(printTree({ kind: "integer", value: 9_007_199_254_740_993n, at })).toBe("9007199254740993");
  });
});

describe("names", () => {
  it.each([
    ["car", "car"],
    ["a b", "`a b`"],
    ["a`b", "`a``b`"],
    ["where", "`where`"],
    ["Null", "`Null`"],
    ["é", "`é`"],
    ["1a", "`1a`"],
  ])("variable %j is %s", (name, expected) => {
    expect(printTree({ kind: "variable", name, at })).toBe(expected);
  });

  it("that no statement can hold are an error", () => {
    expect(() => printTree({ kind: "variable", name: "a\\u0060b", at })).toThrow("cannot stand");
    expect(() => printTree(label(""))).toThrow("cannot stand");
  });
});

describe("labels", () => {
  it("have parentheses where parts are joined inside parts", () => {
    const or: LabelExpression = { kind: "label-or", parts: [label("A"), label("B")], at };
    const not: LabelExpression = { kind: "label-not", part: or, at };
    expect(printTree({ kind: "label-and", parts: [not, or, { kind: "label-any", at }], at })).toBe(
      "!(A|B)&(A|B)&%",
    );
  });
});

describe("operands that are hung on", () => {
  it.each<[string, Expression, string]>([
    ["a number", { kind: "integer", value: 1n, at }, "(1).k"],
    [
      "a CASE",
      { kind: "case", alternatives: [{ kind: "alternative", when: [text("a")], then: text("b"), at }], at },
      "(CASE WHEN 'a' THEN 'b' END).k",
    ],
    ["a sum", { kind: "binary", operator: "+", left: text("a"), right: text("b"), at }, "('a' + 'b').k"],
    ["a parameter", { kind: "parameter", name: "token", at }, "$token.k"],
  ])("%s", (_name, target, expected) => {
    expect(printTree({ kind: "property", target, key: "k", at })).toBe(expected);
  });
});

describe("chains", () => {
  it("of one truth operator are flat, all others nested", () => {
    const joined = (operator: "AND" | "+"): Expression => ({
      kind: "binary",
      operator,
      left: { kind: "binary", operator, left: text("a"), right: text("b"), at },
      right: text("c"),
      at,
    });
    expect(printTree(joined("AND"))).toBe("('a' AND 'b' AND 'c')");
    expect(printTree(joined("+"))).toBe("(('a' + 'b') + 'c')");
  });
});

describe("parts of a text", () => {
  it("can be printed alone", () => {
    expect(
      printTree({ kind: "path", variable: "p", elements: [{ kind: "node", variable: "a", at }], at }),
    ).toBe("p = (a)");
    expect(
      printTree({ kind: "unwind", expression: { kind: "parameter", name: "l", at }, alias: "x", at }),
    ).toBe("UNWIND $l AS x");
  });
});

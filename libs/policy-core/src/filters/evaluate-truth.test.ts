import { describe, expect, it } from "@jest/globals";
import { type TruthRow, truthTable } from "../../test/truth-table.ts";
import { Faults } from "../json.ts";
import { bindValues } from "../values/bind.ts";
import { evaluateFilter, compareOf, not, type Truth } from "./evaluate.ts";
import { leafOperators, leafRules } from "./leaf-operators.ts";
import { readFilters } from "./read.ts";
import { resolveFilter } from "./resolve.ts";

const truthOf = ({ attribute, operator, value, instants }: TruthRow, given: unknown): Truth => {
  const faults = new Faults();
  const json = {
    operator,
    attribute: "$x",
    ...(value === undefined ? {} : { value: instants === true ? { type: "datetime", value: given } : given }),
  };
  const raw = readFilters(json, "f", faults);
  const resolved = resolveFilter(raw, { language: "kbac", bindings: undefined }, faults);
  if (resolved === undefined || !faults.none) throw new Error(faults.list.join("; "));
  const inputs = { inputParams: { x: attribute, v: value ?? null } };
  return evaluateFilter(resolved.filter, bindValues(resolved.needs, inputs)).truth;
};

/** What may stand in a filter itself: no null, no nested list, a value that the operator takes. */
const isLiteral = (row: TruthRow): boolean => {
  const faults = new Faults();
  const { operator, value, instants } = row;
  const json = {
    operator,
    attribute: "$x",
    value: instants === true ? { type: "datetime", value } : value,
  };
  const raw = readFilters(json, "f", faults);
  if (faults.none) resolveFilter(raw, { language: "kbac", bindings: undefined }, faults);
  return faults.none;
};

describe("the truth of a filter leaf in memory", () => {
  it.each(truthTable)("$attribute $operator $value is $truth, the value being a parameter", (row) => {
    expect(truthOf(row, "$v")).toBe(row.truth);
  });

  it("is the same when the value is a literal", () => {
    const literals = truthTable.filter((row) => row.value !== undefined && isLiteral(row));
    expect(literals.length).toBeGreaterThan(200);
    expect(literals.map((row) => ({ ...row, truth: truthOf(row, row.value) }))).toEqual(literals);
  });
});

describe("the table of truths", () => {
  it("has a row for every operator", () => {
    expect(leafOperators.filter((each) => !truthTable.some(({ operator }) => operator === each))).toEqual([]);
  });

  it("is true of an absent attribute for those operators alone whose rules say so", () => {
    const trueOfAbsent = truthTable.filter(({ attribute, truth }) => attribute === null && truth === true);
    expect([...new Set(trueOfAbsent.map(({ operator }) => operator))]).toEqual(
      leafOperators.filter((each) => leafRules[each].trueOfAbsent === true),
    );
  });
});

describe("three-valued logic", () => {
  it("keeps null under NOT", () => {
    expect([true, false, null].map(not)).toEqual([false, true, null]);
  });

  it("knows no order between kinds, and none within objects", () => {
    expect(compareOf("<")({ a: 1 }, { a: 2 })).toBeNull();
    expect(compareOf("=")({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(compareOf("=")({ a: 1 }, { a: null })).toBeNull();
    expect(compareOf("=")({ a: 1 }, { b: 1 })).toBe(false);
    expect(compareOf("=")({ a: 1 }, [1])).toBe(false);
  });
});

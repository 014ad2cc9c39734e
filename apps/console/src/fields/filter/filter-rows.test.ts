import { describe, expect, it } from "@jest/globals";
import { type FilterRows, filterRows, printRows, printValue, readValue, shownRows } from "./filter-rows.ts";

const leaf = { attribute: "$token.level", operator: ">=", value: 2 };
const other = { attribute: "$token.sub", operator: "IS NOT NULL", advice: { error: "sign in" } };
const row = { attribute: "$token.level", operator: "=", value: "", rest: {} } as const;
const rowsWith = (value: string): FilterRows => ({ needs: "all", rows: [{ ...row, value }] });

describe("a filter as rows", () => {
  it.each([
    ["one test", leaf],
    ["all of some", [leaf, other]],
    ["one of some", { operator: "OR", operands: [leaf, other] }],
  ])("of %s comes back as it was", (_what, filter) => {
    const rows = filterRows(JSON.stringify(filter));
    expect(rows && JSON.parse(printRows(rows))).toEqual(filter);
  });

  it.each([
    ["a tree", { operator: "OR", operands: [{ operator: "AND", operands: [leaf] }] }],
    ["a negation", { operator: "NOT", operands: [leaf] }],
    ["advice of a branch", { operator: "OR", operands: [leaf], advice: { error: "x" } }],
    ["an attribute that is no text", { ...leaf, attribute: { type: "datetime", value: "x" } }],
    ["a text", "filter"],
  ])("is none for %s", (_what, filter) => {
    expect(filterRows(JSON.stringify(filter))).toBeUndefined();
  });

  it("is empty for none, and is none for what is no JSON", () => {
    expect(filterRows(" ")).toEqual({ needs: "all", rows: [] });
    expect(printRows({ needs: "any", rows: [] })).toBe("");
    expect(filterRows("{")).toBeUndefined();
  });

  it.each([
    ["text"],
    ["5"],
    [5],
    [2 ** 60],
    [1e21],
    ["12345678901234567890"],
    [true],
    ["true"],
    [["a", 1]],
    [null],
    [""],
    ['"quoted"'],
    [{ type: "datetime" }],
  ])("keeps the value %j", (value) => {
    expect(readValue(printValue(value))).toEqual(value);
  });

  it.each(["0.05", "-0.5", "10.10", "5 apples", '["a", 1]', "true or not"])(
    "takes the value %s character by character",
    (text) => {
      let shown = "";
      for (const character of text) {
        const edited = rowsWith(shown + character);
        shown = shownRows(edited, printRows(edited))?.rows[0]?.value ?? "";
      }
      expect(shown).toBe(text);
    },
  );

  it("keep a value while their operator takes none", () => {
    const edited: FilterRows = { needs: "all", rows: [{ ...row, operator: "IS NULL", value: "5.0" }] };
    const json = printRows(edited);
    expect(JSON.parse(json)).toEqual({ attribute: "$token.level", operator: "IS NULL" });
    expect(shownRows(edited, json)).toBe(edited);
  });

  it("show a filter that was changed elsewhere", () => {
    const json = JSON.stringify(leaf);
    expect(shownRows(rowsWith("5.0"), json)).toEqual(filterRows(json));
  });

  it.each(["1e999", "-1e999", "12345678901234567890", "9007199254740993"])(
    "have a text where JSON has no such number: %s",
    (value) => {
      expect(JSON.parse(printRows(rowsWith(value)))).toMatchObject({ value });
    },
  );
});

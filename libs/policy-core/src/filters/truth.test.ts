import { describe, expect, it } from "@jest/globals";
import { truthTable } from "../../test/truth-table.ts";
import { and, compare, compareText, not, or } from "./truth.ts";

describe("the truth of a comparison in memory (policies specification 4.2, 4.4)", () => {
  it.each(truthTable)("$attribute $operator $value is $truth", ({ attribute, operator, value, truth }) => {
    expect(compare(operator, attribute, value ?? null)).toBe(truth);
  });
});

describe("three-valued logic", () => {
  it("lets false beat null under AND, true beat null under OR, and keeps null under NOT", () => {
    expect(and([true, null])).toBeNull();
    expect(and([false, null])).toBe(false);
    expect(or([false, null])).toBeNull();
    expect(or([true, null])).toBe(true);
    expect(not(null)).toBeNull();
  });
});

describe("order of texts", () => {
  it("is by code point, not by UTF-16 unit", () => {
    expect(compareText("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
    expect(["b", "\u{1F600}", "\uFFFD", "a", "ab"].toSorted(compareText)).toEqual([
      "a",
      "ab",
      "b",
      "\uFFFD",
      "\u{1F600}",
    ]);
  });
});

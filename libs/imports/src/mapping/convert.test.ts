import { describe, expect, it } from "@jest/globals";
import { conversionOf } from "./convert.ts";
import type { ValueKind } from "./schema.ts";

const convert = (
  as: ValueKind | undefined,
  value: unknown,
  options: Parameters<typeof conversionOf>[1] = {},
): unknown => {
  const faults: string[] = [];
  const result = conversionOf(as, options)(value, (message) => void faults.push(message));
  return faults.length === 0 ? result : faults;
};

describe("a conversion", () => {
  const good: readonly (readonly [ValueKind, unknown, unknown])[] = [
    ["string", "007", "007"],
    ["string", 7n, "7"],
    ["integer", " 42 ", 42],
    ["integer", "-7.0", -7],
    ["integer", 7n, 7],
    ["number", "1.5e3", 1_500],
    ["number", "+.5", 0.5],
    ["boolean", "T", true],
    ["boolean", "no", false],
    ["boolean", 1n, true],
    ["boolean", false, false],
    ["datetime", "2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["datetime", "2026-01-31 09:00", "2026-01-31T09:00:00.000Z"],
    ["datetime", "2026-01-31 09:00:00.123456+00", "2026-01-31T09:00:00.123Z"],
    ["datetime", "2026-01-31T09:00:00+01:30", "2026-01-31T07:30:00.000Z"],
    ["datetime", "2026-01-31 09:00:00 UTC", "2026-01-31T09:00:00.000Z"],
    ["datetime", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["list", "a, b,,c", ["a", "b", "c"]],
    ["list", ["a", "b"], ["a", "b"]],
    ["list", " , ", undefined],
  ];
  for (const [as, value, expected] of good)
    it(`to ${as} takes ${JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : (each as unknown)))}`, () =>
      expect(convert(as, value)).toEqual(expected));

  const wrong: readonly (readonly [ValueKind, unknown, string])[] = [
    ["integer", "1.5", '"1.5" is not an integer'],
    ["integer", "0x10", '"0x10" is not an integer'],
    ["integer", "9007199254740993", '"9007199254740993" exceeds 2^53-1; use "as: string"'],
    ["number", "1,5", '"1,5" is not a number'],
    ["number", "1e999", '"1e999" is not a number'],
    ["boolean", "maybe", '"maybe" is not a boolean'],
    ["datetime", "31.01.2026", '"31.01.2026" is not a date or date-time'],
    ["datetime", "2026-02-30", '"2026-02-30" is not a date or date-time'],
  ];
  for (const [as, value, message] of wrong)
    it(`to ${as} refuses ${JSON.stringify(value)}`, () =>
      expect(convert(as, value)).toEqual([expect.stringContaining(message)]));

  it("of entries of a list converts each, and refuses the list with one that is wrong", () => {
    expect(convert("list", "1;2", { of: "integer", separator: ";" })).toEqual([1, 2]);
    expect(convert("list", "1;x", { of: "integer", separator: ";" })).toEqual(['"x" is not an integer']);
  });

  it("without a type keeps the values of typed files, and refuses objects", () => {
    expect([convert(undefined, "1"), convert(undefined, 1.5), convert(undefined, true)]).toEqual([
      "1",
      1.5,
      true,
    ]);
    expect([convert(undefined, 3n), convert(undefined, [1, 2])]).toEqual([3, [1, 2]]);
    expect(convert(undefined, { a: 1 })).toEqual([expect.stringContaining("column.member")]);
    const nested: readonly unknown[] = [[[1]], ["a", []], ["a", ["", null]]];
    for (const value of nested)
      for (const as of [undefined, "list"] as const)
        expect(convert(as, value)).toEqual(["a list in a list cannot be stored"]);
  });
});

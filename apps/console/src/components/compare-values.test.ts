import { expect, it } from "@jest/globals";
import { compareValues } from "./compare-values.ts";

it.each([
  ["numbers by their size", [0.25, 0.3, -10, -2, 7, 1e21], [-10, -2, 0.25, 0.3, 7, 1e21]],
  ["numbers before texts", ["5", 5, "", 10], [5, 10, "", "5"]],
  ["texts by the numbers in them", ["item10", "Item2", "item1"], ["item1", "Item2", "item10"]],
  [
    "times",
    ["2026-10-01T00:00:00Z", "2026-09-30T23:59:59Z", ""],
    ["", "2026-09-30T23:59:59Z", "2026-10-01T00:00:00Z"],
  ],
])("a column has %s", (_what, values: readonly unknown[], expected: readonly unknown[]) => {
  expect(values.toSorted(compareValues)).toEqual(expected);
});

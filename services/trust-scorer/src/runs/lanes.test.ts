import { describe, expect, it } from "@jest/globals";
import { firstOpenRanges } from "./lanes.ts";

const run = (ranges: number, ...done: readonly number[]) => ({
  bounds: Array.from({ length: ranges - 1 }, (_, i) => String(i)),
  done: new Set(done),
});

describe("the ranges of a run that are worked on", () => {
  it("are the first of each of four lanes, however many there are", () => {
    expect(firstOpenRanges(run(1))).toEqual([0]);
    expect(firstOpenRanges(run(64))).toEqual([0, 1, 2, 3]);
    expect(firstOpenRanges(run(64, 0, 4, 3)).toSorted((a, b) => a - b)).toEqual([1, 2, 7, 8]);
    expect(firstOpenRanges(run(2, 0, 1))).toEqual([]);
  });
});

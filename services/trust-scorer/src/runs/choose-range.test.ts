import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { chooseRange, openRanges } from "./choose-range.ts";
import type { RunRange } from "./work-range.ts";

const profile = newGid("trust_score_profile");
/** Ranges by name: the run and the number. */
const ranges = (...names: readonly string[]): readonly RunRange[] =>
  names.map((name) => ({ profile, run: name.slice(0, 1), range: Number(name.slice(1)) }));
const range = (name: string): RunRange | undefined => ranges(name)[0];

describe("the ranges of a run that are not scored", () => {
  it("are those between its bounds without those that are done", () => {
    const run = { bounds: ["k", "s"], done: new Set([1]) };
    expect(openRanges(run)).toEqual([0, 2]);
    expect(openRanges({ ...run, done: new Set([0, 1, 2]) })).toEqual([]);
    expect(openRanges({ bounds: [], done: new Set() })).toEqual([0]);
  });
});

describe("the range that a place of a project works on next", () => {
  it("is one of the next run: runs take turns, whichever has more ranges", () => {
    const free = ranges("a0", "a1", "a2", "b0", "c4", "c5");
    let last = chooseRange(free, undefined, 0);
    const runs = [last?.run];
    for (let turn = 0; turn < 5; turn++) {
      last = chooseRange(free, last, 0);
      runs.push(last?.run);
    }
    expect(runs).toEqual(["a", "b", "c", "a", "b", "c"]);
  });

  it("is the same one again while no other run has one that is free", () => {
    expect(chooseRange(ranges("a0", "a1", "a2"), range("a1"), 0)).toEqual(range("a1"));
    expect(chooseRange(ranges("a2"), range("a1"), 0)).toEqual(range("a2"));
  });

  it("is another one for each place that begins", () => {
    const free = ranges("a0", "b0", "c0");
    expect([0, 1, 2].map((place) => chooseRange(free, undefined, place)?.run)).toEqual(["a", "b", "c"]);
  });

  it("is none where none is free", () => {
    expect(chooseRange([], undefined, 3)).toBeUndefined();
    expect(chooseRange([], range("a0"), 3)).toBeUndefined();
  });
});

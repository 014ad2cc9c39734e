import { rangeCount } from "./ranges.ts";
import type { Run } from "./run-record.ts";
import type { RunRange } from "./work-range.ts";

/** Numbers of the ranges of a run that are not scored. */
export const openRanges = (run: Pick<Run, "bounds" | "done">): readonly number[] =>
  Array.from({ length: rangeCount(run) }, (_, range) => range).filter((range) => !run.done.has(range));

/**
 * Chooses what a place of a project works on next: a range of the run behind the one that it worked on last, so that the
 * runs of a project take turns too.
 *
 * @param free the ranges that no other place has, those of a run together, sorted by run.
 * @param place its number.
 * @returns undefined when no range is free.
 */
export const chooseRange = (
  free: readonly RunRange[],
  last: RunRange | undefined,
  place: number,
): RunRange | undefined => {
  // Places that begin at the same time choose different ranges.
  if (last === undefined) return free[place % Math.max(1, free.length)];
  const next = free.find(({ run }) => run > last.run) ?? free[0];
  const ofRun = free.filter(({ run }) => run === next?.run);
  const same = ofRun.find(({ run, range }) => run === last.run && range === last.range);
  return same ?? ofRun[place % Math.max(1, ofRun.length)];
};

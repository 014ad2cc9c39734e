import { rangeCount } from "./ranges.ts";
import type { Run } from "./run-record.ts";

/**
 * Ranges of one run that are worked on at once, in all processes. The ranges of a run are divided among so many lanes by
 * their numbers, and each lane has one job: a run of very many ranges has no more jobs in the queue than one of a few.
 */
export const lanes = 4;

/** The lane of a range. */
export const laneOf = (range: number): number => range % lanes;

/** The first range of each lane that is not scored. */
export const firstOpenRanges = (run: Pick<Run, "bounds" | "done">): readonly number[] => {
  const first = new Map<number, number>();
  for (let range = 0; range < rangeCount(run); range++)
    if (!run.done.has(range) && !first.has(laneOf(range))) first.set(laneOf(range), range);
  return [...first.values()];
};

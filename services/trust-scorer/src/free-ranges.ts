import type { Queue } from "bullmq";
import { openRanges } from "./runs/choose-range.ts";
import { retryPolicyOf, withRetry } from "./runs/retry.ts";
import type { Run } from "./runs/run-record.ts";
import type { RunRange } from "./runs/work-range.ts";
import type { Scorer } from "./scorer.ts";
import { maxPlaces, turnId, type TurnJob } from "./turn-job.ts";

/** What ranges are found with. */
export interface FreeRangesParts {
  readonly scorer: Scorer;
  readonly turns: Queue<TurnJob>;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

const isSame = (a: RunRange, b: RunRange): boolean => a.run === b.run && a.range === b.range;

/** The ranges that some places of a project work on. */
const rangesOf = async (
  turns: Queue<TurnJob>,
  project: TurnJob["project"],
  ofPlaces: readonly number[],
): Promise<readonly RunRange[]> => {
  const jobs = await Promise.all(ofPlaces.map((place) => turns.getJob(turnId(project, place))));
  return jobs.flatMap((job) => job?.data.range ?? []);
};

const allPlaces: readonly number[] = Array.from({ length: maxPlaces }, (_, place) => place);

/** The ranges of a run that no other place works on. */
const freeOf = (run: Run, busy: readonly RunRange[]): readonly RunRange[] => {
  const rangeOf = (range: number): RunRange => ({ profile: run.profileId, run: run.runId, range });
  const open = openRanges(run).map(rangeOf);
  if (open.length > 0) return open.filter((range) => !busy.some((each) => isSame(each, range)));
  // All are scored. A place that works on one ends the run; without such a place, the worker that should have ended it did not.
  return busy.some((each) => each.run === run.runId) ? [] : [rangeOf(0)];
};

const findFreeRanges = async (
  { scorer, turns }: FreeRangesParts,
  { project, place }: TurnJob,
): Promise<readonly RunRange[]> => {
  // Deleted: the removal of its graph removes what is left.
  if ((await scorer.projects.project(project)) === undefined) return [];
  const [runs, busy] = await Promise.all([
    scorer.records.open(project),
    rangesOf(
      turns,
      project,
      allPlaces.filter((each) => each !== place),
    ),
  ]);
  return runs
    .filter(({ ready }) => ready)
    .toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
    .flatMap((run) => freeOf(run, busy));
};

/**
 * The ranges of a project that no other place has, those of a run together, sorted by run. A run whose ranges are all scored and
 * which was not ended has its first one. Waits for the shared database while it is unavailable.
 */
export const freeRanges = (parts: FreeRangesParts, job: TurnJob): Promise<readonly RunRange[]> => {
  const { project, place } = job;
  return withRetry(retryPolicyOf(parts.scorer, { project, place }, parts.signal), () =>
    findFreeRanges(parts, job),
  );
};

/**
 * True when a lower place has chosen the same range at the same moment. Where that is not seen, since it is noted later, the fence of
 * the range lets one of both write.
 */
export const isClaimed = async (
  { turns }: FreeRangesParts,
  { project, place }: TurnJob,
  range: RunRange,
): Promise<boolean> => {
  const claims = await rangesOf(
    turns,
    project,
    allPlaces.filter((each) => each < place),
  );
  return claims.some((each) => isSame(each, range));
};

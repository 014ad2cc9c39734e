import { DataFault, isTemporaryFailure, type StatementOptions } from "@ikg/graph";

/** Pairs of each subject; one without a pair is left out. */
export type CountPairs = (
  subjects: readonly string[],
  options: StatementOptions,
) => Promise<ReadonlyMap<string, number>>;

/** Milliseconds that a page has to take before the two ways are compared. */
const minMeasurableMs = 40;
/** Subjects that the other way is tried with; and how long it may take, as a multiple of what these took the first way. */
const trialSubjects = 64;
const timeLimitFactor = 4;
const leastTrialMs = 250;
/** The other way has to take less than this share of the time, because the two are measured with different subjects. */
const maxTimeRatio = 0.8;

/**
 * Failures of a trial that need not end the count: one way cannot count these subjects, or the database had no time for a trial, whose
 * limit is short. Where it has none for the count either, the next page fails.
 */
const isTrialFailure = (error: unknown): boolean => isTemporaryFailure(error) || error instanceof DataFault;

/**
 * Counts by one of two statements that find the same pairs, whichever is faster on this graph. The first page that takes
 * some time is what decides: some of its subjects are counted by the other statement, too. Pages are random samples, so
 * what holds for one of them holds for the others.
 *
 * @param now milliseconds of a clock that only goes forward
 */
export const fasterCount = (
  usual: CountPairs,
  other: CountPairs,
  now: () => number = () => performance.now(),
): CountPairs => {
  let chosen: CountPairs | undefined;

  const isOtherFaster = async (...[subjects, options]: Parameters<CountPairs>): Promise<boolean> => {
    const { onWork: _, ...unprofiled } = options;
    const some = subjects.slice(0, trialSubjects);
    const timed = async (count: CountPairs, timeoutMs: number): Promise<number> => {
      const since = now();
      await count(some, { ...unprofiled, timeoutMs: Math.min(timeoutMs, options.timeoutMs) });
      return now() - since;
    };
    try {
      const usualMs = await timed(usual, options.timeoutMs);
      const limitMs = Math.max(leastTrialMs, usualMs * timeLimitFactor);
      // The database plans it.
      await timed(other, limitMs);
      return (await timed(other, limitMs)) < usualMs * maxTimeRatio;
    } catch (error) {
      if (!isTrialFailure(error)) throw error;
      return false;
    }
  };

  return async (subjects, options) => {
    if (chosen === other)
      try {
        return await other(subjects, options);
      } catch (error) {
        // A value of a pair that was not even found: the usual way does not meet it.
        if (!(error instanceof DataFault)) throw error;
        return usual(subjects, options);
      }
    const since = now();
    const counted = await usual(subjects, options);
    if (chosen === undefined && now() - since >= minMeasurableMs)
      chosen = (await isOtherFaster(subjects, options)) ? other : usual;
    return counted;
  };
};

import { setTimeout as wait } from "node:timers/promises";

/** Share of the time of a piece of work for which nothing is asked after it; and the longest such pause. */
const pauseShare = 0.1;
const longestPauseMs = 50;

/** Waits after a piece of work that took `ms`, so that others come first. */
export const pauseAfter = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await wait(Math.min(longestPauseMs, ms * pauseShare), undefined, signal && { signal });
};

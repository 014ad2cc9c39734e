import { setTimeout as wait } from "node:timers/promises";

/** The pause after a piece of work, as a share of its time; and the longest one. */
const pauseShare = 0.1;
const longestPauseMs = 50;

/** Waits after a piece of work that took `ms` milliseconds, so that other requests come first. */
export const pauseAfter = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await wait(Math.min(longestPauseMs, ms * pauseShare), undefined, signal && { signal });
};

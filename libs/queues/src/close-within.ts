import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits for queues and workers to close, but no longer than `timeoutMs`: while Redis is down they never close, and another process
 * takes over their jobs.
 */
export const closeWithin = async (timeoutMs: number, closing: Promise<unknown>): Promise<void> => {
  await Promise.race([closing, wait(timeoutMs, undefined, { ref: false })]);
};

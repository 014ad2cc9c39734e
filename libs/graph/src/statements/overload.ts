import { setTimeout as wait } from "node:timers/promises";
import { isOverloaded, isUnplanned } from "../errors.ts";
import type { StatementOptions } from "../types.ts";

/**
 * Attempts of one statement while the server is out of memory. Statements that hold its memory reach the limit as well and free it
 * many times a second, so that frequent attempts succeed where a long pause would miss the moment.
 */
export const overloadTries = 60;
const shortestPauseMs = 10;
const maxPauseMs = 120;
/**
 * Limit of the total run time of the attempts of one read. A statement that has run for longer holds memory itself, and repeating
 * it would starve the others.
 */
const maxWorkMs = 1_500;

/** Milliseconds before the next attempt, at random so that waiting statements do not coincide. */
export const overloadPauseMs = (attempt: number): number => {
  const ceiling = Math.min(maxPauseMs, shortestPauseMs * 2 ** attempt);
  return shortestPauseMs + Math.random() * (ceiling - shortestPauseMs);
};

/**
 * Runs a read, and repeats it when the server had no memory or thread left for it, or could not plan it. Never past the time limit of the call.
 *
 * @param read called with the options and the time that is left; it must have no effects.
 * @throws the error of the last attempt, or the signal's reason when aborted.
 */
export const retryOverloaded = async <T>(
  options: StatementOptions,
  read: (options: StatementOptions) => Promise<T>,
): Promise<T> => {
  const { signal, timeoutMs } = options;
  const deadline = performance.now() + timeoutMs;
  let workedMs = 0;
  // A row that was delivered cannot be withdrawn, so failures after it are not retried.
  let taken = false;
  const { onRow } = options;
  const once: StatementOptions =
    onRow === undefined
      ? options
      : {
          ...options,
          onRow: (row) => {
            taken = true;
            return onRow(row);
          },
        };
  for (let attempt = 1; ; attempt++) {
    const started = performance.now();
    try {
      return await read({ ...once, timeoutMs: Math.max(1, deadline - started) });
    } catch (error) {
      const now = performance.now();
      workedMs += now - started;
      const pause = overloadPauseMs(attempt);
      if (
        taken ||
        !(isOverloaded(error) ? workedMs <= maxWorkMs : isUnplanned(error)) ||
        attempt === overloadTries ||
        now + pause > deadline
      )
        throw error;
      await wait(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
};

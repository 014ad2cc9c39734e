import { setTimeout as wait } from "node:timers/promises";
import { isOverloaded } from "./errors.ts";
import type { StatementOptions } from "./types.ts";

/**
 * Tries of one statement while the server has no room. What holds its memory meets the limit as well and frees it many times a
 * second, so that trying often finds a moment of room, where waiting for long misses it.
 */
export const overloadTries = 60;
const shortestPauseMs = 10;
const longestPauseMs = 120;
/**
 * How long the tries of one read may run together. What the server refuses sooner had hardly begun; a statement that
 * has run for longer holds memory itself, and trying it again would keep the others from theirs.
 */
const longestWorkMs = 1_500;

/** Milliseconds before the next try, drawn so that those who wait do not come together. */
export const overloadPauseMs = (attempt: number): number => {
  const ceiling = Math.min(longestPauseMs, shortestPauseMs * 2 ** attempt);
  return shortestPauseMs + Math.random() * (ceiling - shortestPauseMs);
};

/**
 * Runs a read, again when the server had no memory or thread left for it: what holds them ends within moments. Never past the
 * time limit of the call.
 *
 * @param read is given the options with what is left of their time; it must have no effects.
 * @throws what the last try throws, the signal's reason when aborted.
 */
export const retryOverloaded = async <T>(
  options: StatementOptions,
  read: (options: StatementOptions) => Promise<T>,
): Promise<T> => {
  const { signal, timeoutMs } = options;
  const deadline = performance.now() + timeoutMs;
  let workedMs = 0;
  // A row that was taken cannot be taken back: what comes after it is tried no more.
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
        !isOverloaded(error) ||
        attempt === overloadTries ||
        workedMs > longestWorkMs ||
        now + pause > deadline
      )
        throw error;
      await wait(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
};

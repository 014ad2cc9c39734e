import { setTimeout as wait } from "node:timers/promises";
import { isTemporaryFailure } from "@ikg/graph";

/** The process ends; another one continues. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Work failed for a reason that is not temporary; its cause is the last failure. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Pauses between failed attempts, in milliseconds. */
const pauses = [1_000, 4_000, 16_000];
/** Longest pause before an unavailable database is tried again. */
const longestPauseMs = 5_000;

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) throw new Interrupted();
};

export interface RetryPolicy {
  readonly signal: AbortSignal;
  /** Called once when the database becomes unavailable, and once when it is back. */
  readonly onUnavailable: (error: unknown) => void;
  readonly onAvailable: () => void;
  /** Called with a failure that counts as an attempt. */
  readonly onRepeat: (error: unknown) => void;
}

/**
 * Runs work that may be repeated. It waits for an unavailable database as long as it takes; any other failure is
 * tried again three times.
 *
 * @throws Interrupted when the process ends, GivenUp after the last attempt; Interrupted and GivenUp of the work as they are.
 */
export const withRetry = async <T>(
  { signal, onUnavailable, onAvailable, onRepeat }: RetryPolicy,
  work: () => Promise<T>,
): Promise<T> => {
  let failures = 0;
  for (let away = 0; ;) {
    if (signal.aborted) throw new Interrupted();
    try {
      const result = await work();
      if (away > 0) onAvailable();
      return result;
    } catch (error) {
      if (error instanceof Interrupted || error instanceof GivenUp) throw error;
      if (isTemporaryFailure(error)) {
        if (away === 0) onUnavailable(error);
        await pause(Math.min(longestPauseMs, 100 * 2 ** Math.min(away++, 10)), signal);
        continue;
      }
      const next = pauses[failures++];
      if (next === undefined) throw new GivenUp("the last attempt failed", { cause: error });
      onRepeat(error);
      await pause(next, signal);
    }
  }
};

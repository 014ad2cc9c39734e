import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "@ikg/contracts";
import { StatementTimeout } from "@ikg/graph";

/** The process ends; somebody else goes on. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** What was tried failed for a reason that does not pass; its cause is the last failure. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Pauses between failed attempts, in milliseconds. */
const pauses = [1_000, 4_000, 16_000];
/** A database that is away is asked again after at most so long. */
const longestPauseMs = 5_000;

/** True for what passes by itself: a database that is away, one that is too busy, a commit whose answer was lost. */
export const passes = (error: unknown): boolean =>
  error instanceof StatementTimeout ||
  (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code));

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) throw new Interrupted();
};

export interface RetryPolicy {
  readonly signal: AbortSignal;
  /** Told once when the database is away, and once when it is back. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Told of a failure that counts as an attempt. */
  readonly onRepeat: (error: unknown) => void;
}

/**
 * Does work that may be repeated. A database that is away is waited for, as long as it takes; what fails otherwise is
 * tried again three times.
 *
 * @throws Interrupted when the process ends, GivenUp after the last attempt; Interrupted and GivenUp of the work as they are.
 */
export const withRetry = async <T>(
  { signal, onAway, onBack, onRepeat }: RetryPolicy,
  work: () => Promise<T>,
): Promise<T> => {
  let failures = 0;
  for (let away = 0; ;) {
    if (signal.aborted) throw new Interrupted();
    try {
      const result = await work();
      if (away > 0) onBack();
      return result;
    } catch (error) {
      if (error instanceof Interrupted || error instanceof GivenUp) throw error;
      if (passes(error)) {
        if (away === 0) onAway(error);
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

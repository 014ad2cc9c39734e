import { setTimeout as wait } from "node:timers/promises";
import { isTemporaryFailure } from "@ikg/graph";
import type { Scorer } from "../scorer.ts";

/** The process ends; another one continues. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Work failed for a reason that is not temporary; its cause is the last failure. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** The database is unavailable, others wait, and the turn is over. */
export class TurnOver extends Error {
  override readonly name = "TurnOver";
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
  /** True when others wait and the turn has lasted its time: an unavailable database is not waited for. */
  readonly isTurnOver?: (() => boolean) | undefined;
}

/** Logs an unavailable database once when the wait begins, and once when it ends. */
export const retryPolicyOf = (
  { log, metrics }: Pick<Scorer, "log" | "metrics">,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  isTurnOver?: () => boolean,
): RetryPolicy => ({
  signal,
  onUnavailable: (error) =>
    log.warn("a run of trust scores pauses: its database cannot be used", { ...fields, error }),
  onAvailable: () => log.info("a run of trust scores goes on", fields),
  onRepeat: (error) => {
    metrics.repeated();
    log.warn("a step of a run of trust scores failed; it is tried again", { ...fields, error });
  },
  isTurnOver,
});

/**
 * Runs work that may be repeated. It waits for an unavailable database as long as it takes, or as its turn lasts; any other
 * failure is tried again three times.
 *
 * @throws Interrupted when the process ends, TurnOver when the turn does, GivenUp after the last attempt; these of the work as they are.
 */
export const withRetry = async <T>(
  { signal, onUnavailable, onAvailable, onRepeat, isTurnOver }: RetryPolicy,
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
      if ([Interrupted, TurnOver, GivenUp].some((known) => error instanceof known)) throw error;
      if (isTemporaryFailure(error)) {
        if (away === 0) onUnavailable(error);
        await pause(Math.min(longestPauseMs, 100 * 2 ** Math.min(away++, 10)), signal);
        if (isTurnOver?.() === true) throw new TurnOver("the database is unavailable", { cause: error });
        continue;
      }
      const next = pauses[failures++];
      if (next === undefined) throw new GivenUp("the last attempt failed", { cause: error });
      onRepeat(error);
      await pause(next, signal);
    }
  }
};

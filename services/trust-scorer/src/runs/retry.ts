import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "@ikg/contracts";
import { isTemporaryFailure, SchemaMismatch } from "@ikg/graph";
import type { Scorer } from "../scorer.ts";

/** The process ends; another one continues. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Work failed for a reason that is not temporary; its cause is the last failure. */
export class PermanentFailureError extends Error {
  override readonly name = "PermanentFailureError";
}

/** The database cannot be used, and the worker does not wait for it; its cause is the last failure. */
export class DatabaseUnusableError extends Error {
  override readonly name = "DatabaseUnusableError";
}

/** Pauses between failed attempts, in milliseconds. */
const pauses = [1_000, 4_000, 16_000];
/** Longest pause before an unavailable database is tried again. */
const longestPauseMs = 5_000;

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) throw new Interrupted();
};

/** True for a database whose data this build does not understand: that lasts until an operator acts. */
export const isSchemaRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.cause instanceof SchemaMismatch;

export interface RetryPolicy {
  readonly signal: AbortSignal;
  /** Called with every failure of a database that cannot be used. */
  readonly onUnavailable: (error: unknown) => void;
  /** Called when a database works: after an outage, and may be at other times. */
  readonly onAvailable: () => void;
  /** Called with a failure that counts as an attempt. */
  readonly onRepeat: (error: unknown) => void;
  /** Called with a failure of a database that cannot be used. True: it is not waited for, and the turn is over. */
  readonly isTurnOver?: ((error: unknown) => Promise<boolean>) | undefined;
}

/**
 * Logs an outage once when it begins, and once when it ends.
 *
 * @param isKnown true when an outage has begun that is logged already.
 */
export const retryPolicyOf = (
  { log, metrics }: Pick<Scorer, "log" | "metrics">,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  isKnown = false,
): RetryPolicy => {
  let isUnavailable = isKnown;
  return {
    signal,
    onUnavailable: (error) => {
      if (!isUnavailable)
        log.warn("a run of trust scores pauses: its database cannot be used", { ...fields, error });
      isUnavailable = true;
    },
    onAvailable: () => {
      if (isUnavailable) log.info("a run of trust scores resumes", fields);
      isUnavailable = false;
    },
    onRepeat: (error) => {
      metrics.repeated();
      log.warn("a step of a run of trust scores failed; retrying", { ...fields, error });
    },
  };
};

/**
 * Runs work that may be repeated. It waits for an unavailable database until its policy says that the turn is over; any other
 * failure is tried again three times.
 *
 * @throws Interrupted when the process ends, DatabaseUnusableError when the turn is over, PermanentFailureError after the last
 *   attempt; an error of these classes that the work throws, unchanged.
 */
export const withRetry = async <T>(
  { signal, onUnavailable, onAvailable, onRepeat, isTurnOver }: RetryPolicy,
  work: () => Promise<T>,
): Promise<T> => {
  let failures = 0;
  for (let outages = 0; ;) {
    if (signal.aborted) throw new Interrupted();
    try {
      const result = await work();
      if (outages > 0) onAvailable();
      return result;
    } catch (error) {
      if ([Interrupted, DatabaseUnusableError, PermanentFailureError].some((known) => error instanceof known))
        throw error;
      if (isTemporaryFailure(error)) {
        onUnavailable(error);
        if ((await isTurnOver?.(error)) === true)
          throw new DatabaseUnusableError("the database cannot be used", { cause: error });
        await pause(Math.min(longestPauseMs, 100 * 2 ** Math.min(outages++, 10)), signal);
        continue;
      }
      const next = pauses[failures++];
      if (next === undefined) throw new PermanentFailureError("the last attempt failed", { cause: error });
      onRepeat(error);
      await pause(next, signal);
    }
  }
};

import { IkgError } from "../errors/ikg-error.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { isUnexecuted } from "../errors/outcome.ts";
import { type Deadline, pause } from "./deadline.ts";
import type { HttpRequest } from "./request.ts";

/** Statuses that say that nothing was done, or that it is not known and does not matter. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const isRetryable = (error: unknown): boolean =>
  error instanceof IkgError
    ? retryableStatuses.has(error.status)
    : error instanceof IkgUnreachable && error.reason === "connection";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/**
 * Milliseconds until the next attempt: twice as long each time, half of it at random, so that many clients do not come
 * back at once; never before the time of `Retry-After`.
 */
export const pauseBefore = (
  attempt: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number => {
  const ceiling = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
  const jittered = (ceiling / 2) * (1 + random());
  return (retryAfter ?? 0) * 1_000 + jittered;
};

/**
 * Repeats a call until it succeeds, fails for good, or has no time left for another attempt: then the last error is
 * thrown. What is not idempotent is repeated only where it certainly was not executed, if its caller wants that.
 */
export const withRetries = async <T>(
  deadline: Deadline,
  { idempotent, repeatUnexecuted = false }: Pick<HttpRequest, "idempotent" | "repeatUnexecuted">,
  attempt: () => Promise<T>,
): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const mayRepeat = idempotent ? isRetryable(error) : repeatUnexecuted && isUnexecuted(error);
      if (!mayRepeat) throw error;
      const ms = pauseBefore(attempts, error instanceof IkgError ? error.retryAfter : undefined);
      if (ms >= deadline.remainingMs) throw error;
      await pause(ms, deadline.signal);
    }
  }
};

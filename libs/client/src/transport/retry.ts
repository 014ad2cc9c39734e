import { IkgError } from "../errors/ikg-error.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { type Deadline, pause } from "./deadline.ts";
import type { HttpRequest } from "./request.ts";

/** Statuses that say that nothing was done, or that it is not known and does not matter. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const isRetryable = (error: unknown): boolean =>
  error instanceof IkgError
    ? retryableStatuses.has(error.status)
    : error instanceof IkgUnreachable && error.reason === "connection";

/** The server was never reached: what the runtimes call a connection that did not come about. */
const unconnectedCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * Refused before anything was executed: by a limit or an overloaded service, which say when to come back, or because there
 * was no connection. A proxy answers 502, 504 and 503 without a time also for a request that its upstream has executed.
 */
const isUnexecuted = (error: unknown): boolean => {
  if (error instanceof IkgError)
    return (error.status === 429 || error.status === 503) && error.retryAfter !== undefined;
  if (!(error instanceof IkgUnreachable) || error.reason !== "connection") return false;
  const { cause } = error;
  return [cause, cause instanceof Error ? cause.cause : undefined].some((each) =>
    unconnectedCodes.has(codeOf(each)),
  );
};

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Milliseconds until the next attempt: twice as long each time, half of it at random, so that many clients do not come
 * back at once; never before the time of `Retry-After`.
 */
export const pauseBefore = (
  attempt: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number => {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  const jittered = (longest / 2) * (1 + random());
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

import { IkgError } from "./ikg-error.ts";
import { IkgUnreachable } from "./ikg-unreachable.ts";

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
export const isUnexecuted = (error: unknown): boolean => {
  if (error instanceof IkgError)
    return (error.status === 429 || error.status === 503) && error.retryAfter !== undefined;
  if (!(error instanceof IkgUnreachable) || error.reason !== "connection") return false;
  const { cause } = error;
  return [cause, cause instanceof Error ? cause.cause : undefined].some((each) =>
    unconnectedCodes.has(codeOf(each)),
  );
};

/** Whether a request that failed may have been executed all the same: its response was lost, or is not the service's own. */
export const isOutcomeUnknown = (error: unknown): boolean => {
  if (error instanceof IkgUnreachable) return !isUnexecuted(error);
  return error instanceof IkgError && (error.status >= 500 || error.status === 408) && !isUnexecuted(error);
};

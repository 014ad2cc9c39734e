/** Why an outbound call failed; responses may show these names. */
export type EgressReason =
  | "blocked_address"
  | "upstream_timeout"
  | "upstream_unreachable"
  | "upstream_status"
  | "response_too_large"
  | "content_type_mismatch"
  | "invalid_json";

/** A failed outbound call. `cause` is for the log only: it may name addresses. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly reason: EgressReason;
  /** The status of the response, for `upstream_status`. */
  readonly status: number | undefined;

  constructor(reason: EgressReason, cause?: unknown, status?: number) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = status;
  }
}

/** Statuses below 500 that indicate an unhealthy service all the same. */
const busy = new Set([408, 429]);

/** True for a status that indicates the health of the service and not a fault of the request. */
export const isUnhealthyStatus = (status: number): boolean => status >= 500 || busy.has(status);

/**
 * True for a failure that says nothing about the health of the service, so that no circuit breaker counts it: this request
 * was refused, or was never sent.
 */
export const isOwnFailure = (error: unknown): boolean => {
  if (!(error instanceof EgressError)) return false;
  if (error.reason === "blocked_address") return true;
  const { status } = error;
  return status !== undefined && status >= 400 && !isUnhealthyStatus(status);
};

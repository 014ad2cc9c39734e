/** Why an outbound call gave nothing; the names are those that answers may show. */
export type EgressReason =
  | "blocked_address"
  | "upstream_timeout"
  | "upstream_unreachable"
  | "upstream_status"
  | "response_too_large"
  | "content_type_mismatch"
  | "invalid_json"
  | "circuit_open";

/** An outbound call that gave nothing. `cause` is for the log only: it may name addresses. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly reason: EgressReason;
  /** The status that was answered, for `upstream_status`. */
  readonly status: number | undefined;

  constructor(reason: EgressReason, cause?: unknown, status?: number) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = status;
  }
}

/** Statuses below 500 that speak of the other side's health all the same. */
const busy = new Set([408, 429]);

/** True for a status that speaks of the other side's health and not of the request. */
export const isUnhealthyStatus = (status: number): boolean => status >= 500 || busy.has(status);

/**
 * True for a failure that is no sign of the other side's health, so that no circuit counts it: it refused this one
 * request, or the request was never sent.
 */
export const isOwnFailure = (error: unknown): boolean => {
  if (!(error instanceof EgressError)) return false;
  if (error.reason === "blocked_address") return true;
  const { status } = error;
  return status !== undefined && status >= 400 && !isUnhealthyStatus(status);
};

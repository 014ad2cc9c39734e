/** Why an outbound call gave nothing; the names are those that answers may show (runtime specification 3.7). */
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

  constructor(reason: EgressReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

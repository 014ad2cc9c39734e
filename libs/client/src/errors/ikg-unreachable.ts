/**
 * - `connection`: there was no connection, or it broke before the response was complete.
 * - `timeout`: there was no complete response within `timeoutMs`.
 * - `invalid_response`: the response is not one of IKG, for example a redirect or a page of a proxy.
 */
export type UnreachableReason = "connection" | "timeout" | "invalid_response";

/**
 * There was no response of IKG. Whether a write was executed is not known; captures may be repeated, they are
 * idempotent.
 */
export class IkgUnreachable extends Error {
  override readonly name = "IkgUnreachable";
  readonly reason: UnreachableReason;

  /** @param cause the error of `fetch`, where there is one. */
  constructor(reason: UnreachableReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

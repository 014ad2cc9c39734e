/** How a request ended that its service did not answer. */
export type FailureKind =
  /** No connection was made: nothing can have happened. */
  | "not_sent"
  /** The connection broke after the request went out. */
  | "lost"
  /** No answer within the limit, and the request was out. */
  | "too_slow"
  /** The body grew past its limit on the way. */
  | "body_too_large"
  /** The caller did not send its body in time. */
  | "body_too_slow"
  /** The caller closed its connection. */
  | "caller_gone";

export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause?: unknown) {
    super(kind, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** Failures that say nothing about the service's health. */
export const isCallerFailure = (error: unknown): boolean =>
  error instanceof UpstreamFailure && ["body_too_large", "body_too_slow", "caller_gone"].includes(error.kind);

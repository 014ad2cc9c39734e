import type { ResolverReason } from "@ikg/contracts";

/** An external value that is not available. It discloses nothing about the called service. */
export class ResolverFailure extends Error {
  override readonly name = "ResolverFailure";
  readonly reason: ResolverReason;

  constructor(reason: ResolverReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

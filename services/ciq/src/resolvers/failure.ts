import type { ResolverReason } from "@ikg/contracts";

/** An external value that could not be had. It says nothing of what was called: that is for nobody to see. */
export class ResolverFailure extends Error {
  override readonly name = "ResolverFailure";
  readonly reason: ResolverReason;

  constructor(reason: ResolverReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

import type { ResolverReason } from "@ikg/contracts";

/** One call of an external data resolver for an answer, or the attempt of one. */
export interface ResolverCall {
  /** As the property names it. */
  readonly resolver: string;
  readonly outcome: "resolved" | ResolverReason;
  readonly ms: number;
  /** It failed because of the service that was called, and not because of this one call. */
  readonly isServiceFault: boolean;
}

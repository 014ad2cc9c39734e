import type { ResolverReason } from "@ikg/contracts";

/** One attempted call of an external data resolver for an answer. */
export interface ResolverCall {
  /** As the property names it. */
  readonly resolver: string;
  readonly outcome: "resolved" | ResolverReason;
  readonly ms: number;
  /** It failed because of the called service, and not because of this one call. */
  readonly isServiceFault: boolean;
}

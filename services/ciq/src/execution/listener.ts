import type { OnIntrospected, Token } from "@ikg/auth";
import type { StoredQuery } from "@ikg/catalog";
import type { WriteEffects } from "@ikg/policy-core/statements";
import type { ResolverCall } from "../explain/resolver-call.ts";

/** Receives the steps of an execution as they happen, whatever its outcome. */
export interface ExecutionListener {
  /** The query that is run. */
  readonly onQuery: (stored: StoredQuery) => void;
  readonly onIntrospected: OnIntrospected;
  readonly onUser: (token: Token | undefined) => void;
  /** What its transaction writes; once for each attempt, of which the last one counts. */
  readonly onWrite: (effects: WriteEffects) => void;
  readonly onResolverCalls: (calls: readonly ResolverCall[]) => void;
}

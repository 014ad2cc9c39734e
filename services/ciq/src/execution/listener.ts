import type { Judged, Token } from "@ikg/auth";
import type { StoredQuery } from "@ikg/catalog";
import type { Touched } from "@ikg/policy-core/statements";
import type { ResolverCall } from "../explain/resolver-call.ts";

/** Told how an execution goes while it goes, however it ends. */
export interface ExecutionListener {
  /** The query that is meant. */
  readonly found: (stored: StoredQuery) => void;
  readonly judged: Judged;
  readonly user: (token: Token | undefined) => void;
  /** What its transaction writes; once for each try, of which the last one counts. */
  readonly touched: (touched: Touched) => void;
  readonly resolved: (calls: readonly ResolverCall[]) => void;
}

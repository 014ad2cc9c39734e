import { callersToken, type Introspection, type Token } from "@ikg/auth";
import { activeSnapshot, type Catalog, type ProjectSnapshot } from "@ikg/catalog";
import type { AgentCaller } from "@ikg/contracts";
import type { StatementOptions } from "@ikg/graph";
import { type ConsistencyTokens, introspectionNote, type Note, requireExplain } from "@ikg/service";

/** What every question is evaluated with besides its body. */
export interface QuestionContext {
  /** A snapshot of the caller's project, the same for the whole question. */
  readonly snapshot: ProjectSnapshot;
  /** The introspected bearer token; absent when none was sent. */
  readonly token: Token | undefined;
  readonly options: StatementOptions;
  /** The caller asks for an explanation, and has the permission. */
  readonly explain: boolean;
}

interface IncomingCall {
  readonly caller: AgentCaller;
  readonly bearer: string | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly consistencyToken: string | undefined;
  readonly explain: boolean;
  readonly note: Note;
}

export type ResolveRequest = (input: IncomingCall) => Promise<QuestionContext>;

/**
 * Resolves the project of the caller's key and introspects the bearer, if one came: on every call, whether a policy reads it or
 * not.
 *
 * @throws Problem "not_found" (404) without an active graph, "bearer_invalid" (401), "permission_missing" (403),
 *   "invalid_request" (400) for a consistency token of another project.
 */
export const openRequestResolver =
  (
    catalog: Catalog,
    introspection: Introspection,
    tokens: ConsistencyTokens,
    timeoutMs: number,
  ): ResolveRequest =>
  async ({ caller, bearer, requestId, signal, consistencyToken, explain, note }) => {
    requireExplain({ explain, caller });
    const after = tokens.read(caller.project, consistencyToken);
    const snapshot = await activeSnapshot(catalog, caller.project);
    const token = await callersToken(introspection, caller, bearer, snapshot, (outcome) =>
      note(() => introspectionNote(caller.project, outcome)),
    );
    return { snapshot, token, options: { timeoutMs, signal, requestId, after }, explain };
  };

import type { Token } from "@ikg/auth";
import type { StoredQuery } from "@ikg/catalog";
import { type AgentCaller, type ExecuteRequest, type ResolverReason, omitUndefined } from "@ikg/contracts";
import type { WriteEffects } from "@ikg/policy-core/statements";
import { type AuditNote, introspectionNote, type Note, onBehalfOf } from "@ikg/service";
import type { ExecutionAnswer } from "../execution/execution.ts";
import type { ExecutionListener } from "../execution/listener.ts";
import type { ResolverCall } from "../explain/resolver-call.ts";

/** Keys of one list that an audit record has at most. */
const maxKeys = 1_000;

/** The parts of a node's key; its type has no slash, its external id may have one. */
const keyOf = (key: string): { type: string; external_id: string } => {
  const from = key.indexOf("/") + 1;
  const slash = key.indexOf("/", from);
  return { type: key.slice(from, slash), external_id: key.slice(slash + 1) };
};

const keysOf = (keys: readonly string[]) =>
  keys.length === 0 ? undefined : keys.slice(0, maxKeys).map(keyOf);

/** Collects the data of the audit record of an execution. */
export interface ExecutionAccount {
  readonly listener: ExecutionListener;
  /** @param answer undefined when it was refused or failed. */
  note(answer: ExecutionAnswer | undefined): AuditNote<"audit.ciq.execute">;
}

const subjectOf = (stored: StoredQuery, caller: AgentCaller, token: Token | undefined) => {
  const { pin, subjectType: type } = stored.policy;
  const id = pin === "application" ? caller.application : pin === "token" ? token?.subject : undefined;
  return omitUndefined({ type, id });
};

/** @param note records introspections of the bearer. */
export const openAccount = (caller: AgentCaller, request: ExecuteRequest, note: Note): ExecutionAccount => {
  let stored: StoredQuery | undefined;
  let token: Token | undefined;
  let effects: WriteEffects | undefined;
  const resolvers = new Set<string>();
  const failed = new Map<string, { readonly resolver: string; readonly reason: ResolverReason }>();
  return {
    listener: {
      onQuery: (query) => void (stored = query),
      onIntrospected: (outcome) => note(() => introspectionNote(caller.project, outcome)),
      onUser: (user) => void (token = user),
      onWrite: (written) => void (effects = written),
      onResolverCalls: (calls: readonly ResolverCall[]) => {
        for (const { resolver, outcome, isServiceFault } of calls) {
          resolvers.add(resolver);
          if (isServiceFault && outcome !== "resolved")
            failed.set(`${outcome} ${resolver}`, { resolver, reason: outcome });
        }
      },
    },
    note: (answer) => ({
      type: "audit.ciq.execute",
      chain: caller.project,
      onBehalfOf: onBehalfOf(token),
      data: omitUndefined({
        query: omitUndefined({ id: request.id, version: stored?.version }),
        policy: stored && { id: stored.policyId, version: stored.policyVersion },
        subject: stored && subjectOf(stored, caller, token),
        input_params: request.input_params ?? {},
        rows: answer?.rows,
        page: request.page_token,
        upserted: keysOf(effects?.upsertedNodes ?? []),
        deleted: keysOf(effects?.deletedNodes ?? []),
        relationships: effects && {
          upserted: effects.upsertedRelationships,
          deleted: effects.deletedRelationships,
        },
        resolvers: resolvers.size === 0 ? undefined : [...resolvers],
        failed_resolvers: failed.size === 0 ? undefined : [...failed.values()],
      }),
    }),
  };
};

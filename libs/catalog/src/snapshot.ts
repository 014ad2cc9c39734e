import { openedIntrospect, type StoredIntrospect } from "./introspect.ts";
import { lazy } from "./lazy.ts";
import { type McpServer, mcpServerOf } from "./mcp-server.ts";
import {
  type PolicyState,
  policyState,
  type QueryState,
  queryState,
  type StoredKbacPolicy,
  type StoredQuery,
} from "./policies.ts";
import { type CatalogProject, projectOf, type Reading } from "./project.ts";
import { type ResolverState, resolverState, type StoredResolver } from "./resolver.ts";
import { revisionKey, type StoredProject } from "./stored.ts";

export type { CatalogProject, McpServer, StoredIntrospect, StoredKbacPolicy, StoredQuery, StoredResolver };

/**
 * One state of a project. Nothing in it changes; lists are the same objects for as long as the project stays as
 * it is, so that whoever derives something from one can keep that by the list's identity.
 */
export interface ProjectSnapshot {
  readonly project: CatalogProject;
  kbacPolicies(): readonly StoredKbacPolicy[];
  /** ACTIVE KBAC policies for these types and this action, oldest first; a list without tags applied. */
  kbacCandidates(subjectType: string, action: string, resourceType: string): readonly StoredKbacPolicy[];
  /** By gid or name; undefined unless query and policy are ACTIVE. */
  query(idOrName: string): StoredQuery | undefined;
  /** Every query that `query` finds, by name. */
  queries(): readonly StoredQuery[];
  readonly introspects: readonly StoredIntrospect[];
  /** By gid or name. */
  resolver(idOrName: string): StoredResolver | undefined;
  /** Every resolver that `resolver` finds. */
  resolvers(): readonly StoredResolver[];
  /** Undefined when the project has none, or what it is bound to is gone. */
  readonly mcpServer: McpServer | undefined;
}

/** A snapshot with what the next one can take over. */
export interface Loaded {
  readonly snapshot: ProjectSnapshot;
  /** Equal for equal states of the project. */
  readonly fingerprint: string;
  readonly policies: ReadonlyMap<string, PolicyState>;
  readonly queries: ReadonlyMap<string, QueryState>;
  readonly resolvers: ReadonlyMap<string, ResolverState>;
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Types and action in one text; NUL is in no type and in no action. */
const candidateKey = (subject: string, action: string, resource: string): string =>
  `${subject}\0${action}\0${resource}`;

const noCandidates: readonly StoredKbacPolicy[] = [];

/** Candidates by what a request names; each list is made when first asked for. */
const indexOf = (policies: Iterable<PolicyState>): Map<string, () => readonly StoredKbacPolicy[]> => {
  const states = new Map<string, PolicyState[]>();
  for (const policy of policies) {
    for (const action of policy.key?.actions ?? []) {
      const key = candidateKey(policy.key?.subject ?? "", action, policy.key?.resource ?? "");
      const found = states.get(key);
      if (found === undefined) states.set(key, [policy]);
      else found.push(policy);
    }
  }
  return new Map(
    [...states].map(([key, list]) => [
      key,
      lazy(() => list.map((policy) => policy.kbac()).filter(isDefined)),
    ]),
  );
};

/** What two equal states of a project have in common, and no two different ones. */
const fingerprintOf = ({ project, mcpServer, ...lists }: StoredProject): string => {
  const { policies, queries, introspects, resolvers } = lists;
  const rows = [policies, queries, introspects, resolvers];
  return JSON.stringify([project, mcpServer, ...rows.map((each) => each.map(revisionKey))]);
};

/** Builds the snapshot of a stored project; compiled texts of `previous` are taken over where nothing changed. */
export const snapshotOf = (
  stored: StoredProject,
  previous: Loaded | undefined,
  { log, keys, limits, budget }: Reading,
): Loaded => {
  const fingerprint = fingerprintOf(stored);
  if (previous?.fingerprint === fingerprint) return previous;
  const project = projectOf(stored.project, { log, keys, limits });

  const policies = new Map<string, PolicyState>();
  for (const row of stored.policies) {
    const state = revisionKey(row);
    policies.set(state, previous?.policies.get(state) ?? policyState(row, log, budget));
  }
  const policyById = new Map([...policies.values()].map((policy) => [policy.row.id, policy]));

  const queries = new Map<string, QueryState>();
  for (const row of stored.queries) {
    const state = revisionKey(row);
    const known = previous?.queries.get(state);
    const policy = policyById.get(String(row.data["policy_id"]));
    queries.set(
      state,
      known !== undefined && known.policy === policy ? known : queryState(known?.row ?? row, policy, budget),
    );
  }
  const queryBy = new Map<string, QueryState>();
  for (const query of queries.values()) queryBy.set(query.row.name, query).set(query.row.id, query);

  const resolvers = new Map<string, ResolverState>();
  for (const row of stored.resolvers) {
    const state = revisionKey(row);
    resolvers.set(state, previous?.resolvers.get(state) ?? resolverState(row, keys, log));
  }
  const resolverBy = new Map<string, ResolverState>();
  for (const resolver of resolvers.values())
    resolverBy.set(resolver.row.name, resolver).set(resolver.row.id, resolver);

  const candidates = indexOf(policies.values());
  const all = lazy(() => [...policies.values()].map((policy) => policy.kbac()).filter(isDefined));
  const introspects = stored.introspects
    .map((row) => openedIntrospect(project.id, row, keys, log))
    .filter(isDefined);
  const snapshot: ProjectSnapshot = {
    project,
    kbacPolicies: all,
    kbacCandidates: (subject, action, resource) =>
      candidates.get(candidateKey(subject, action, resource))?.() ?? noCandidates,
    query: (idOrName) => queryBy.get(idOrName)?.stored(),
    queries: lazy(() =>
      [...queries.values()]
        .map((query) => query.stored())
        .filter(isDefined)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ),
    introspects,
    resolver: (idOrName) => resolverBy.get(idOrName)?.stored(),
    resolvers: lazy(() => [...resolvers.values()].map((resolver) => resolver.stored()).filter(isDefined)),
    mcpServer: mcpServerOf(stored.mcpServer, project, introspects),
  };
  return { snapshot, fingerprint, policies, queries, resolvers };
};

/** States whose texts a new load need not bring again. */
export const knownStates = (loaded: Loaded | undefined): string[] =>
  loaded === undefined
    ? []
    : [...loaded.policies.keys(), ...loaded.queries.keys(), ...loaded.resolvers.keys()];

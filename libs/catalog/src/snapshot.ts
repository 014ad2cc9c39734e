import { decryptIntrospect, type StoredIntrospect } from "./introspect.ts";
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
import { type CatalogProject, projectOf, type ProjectReadOptions } from "./project.ts";
import { type ResolverState, resolverState, type StoredResolver } from "./resolver.ts";
import { revisionKey, type StoredProject } from "./stored.ts";

export type { CatalogProject, McpServer, StoredIntrospect, StoredKbacPolicy, StoredQuery, StoredResolver };

/**
 * One state of a project, immutable. Lists are the same objects as long as the project does not change, so that derived
 * data can be cached by the identity of a list.
 */
export interface ProjectSnapshot {
  readonly project: CatalogProject;
  /** ACTIVE KBAC policies, oldest first. */
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
  /** Undefined when the project has none, or the records that it refers to no longer exist. */
  readonly mcpServer: McpServer | undefined;
}

/** A snapshot with the states that the next one can reuse. */
export interface LoadedConfiguration {
  readonly snapshot: ProjectSnapshot;
  /** Equal for equal states of the project. */
  readonly fingerprint: string;
  readonly policies: ReadonlyMap<string, PolicyState>;
  readonly queries: ReadonlyMap<string, QueryState>;
  readonly resolvers: ReadonlyMap<string, ResolverState>;
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Identifies a question by its types and its action: NUL is in no type and in no action. */
export const questionKey = (subject: string, action: string, resource: string): string =>
  `${subject}\0${action}\0${resource}`;

const noCandidates: readonly StoredKbacPolicy[] = [];

/** Candidates by the types and the action of a request; each list is built on first use. */
const indexOf = (policies: Iterable<PolicyState>): Map<string, () => readonly StoredKbacPolicy[]> => {
  const states = new Map<string, PolicyState[]>();
  for (const policy of policies) {
    for (const action of policy.key?.actions ?? []) {
      const key = questionKey(policy.key?.subject ?? "", action, policy.key?.resource ?? "");
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

/** Equal for equal states of a project, and different for different ones. */
const fingerprintOf = ({ project, mcpServer, ...lists }: StoredProject): string => {
  const { policies, queries, introspects, resolvers } = lists;
  const rows = [policies, queries, introspects, resolvers];
  return JSON.stringify([project, mcpServer, ...rows.map((each) => each.map(revisionKey))]);
};

const policiesOf = (
  { policies }: StoredProject,
  previous: LoadedConfiguration | undefined,
  { log, budget }: ProjectReadOptions,
): Map<string, PolicyState> =>
  new Map(
    policies.map((row) => {
      const key = revisionKey(row);
      return [key, previous?.policies.get(key) ?? policyState(row, log, budget)];
    }),
  );

const resolversOf = (
  { resolvers }: StoredProject,
  previous: LoadedConfiguration | undefined,
  { keys, log }: ProjectReadOptions,
): Map<string, ResolverState> =>
  new Map(
    resolvers.map((row) => {
      const key = revisionKey(row);
      return [key, previous?.resolvers.get(key) ?? resolverState(row, keys, log)];
    }),
  );

/** A query depends on its policy: it is reused only as long as that is the same state. */
const queriesOf = (
  stored: StoredProject,
  policies: ReadonlyMap<string, PolicyState>,
  previous: LoadedConfiguration | undefined,
  { budget }: ProjectReadOptions,
): Map<string, QueryState> => {
  const policyById = new Map([...policies.values()].map((policy) => [policy.row.id, policy]));
  return new Map(
    stored.queries.map((row) => {
      const key = revisionKey(row);
      const known = previous?.queries.get(key);
      const policy = policyById.get(String(row.data["policy_id"]));
      const isCurrent = known !== undefined && known.policy === policy;
      return [key, isCurrent ? known : queryState(known?.row ?? row, policy, budget)];
    }),
  );
};

type NamedState = { readonly row: { readonly id: string; readonly name: string } };

/** States by id and by name. */
const byIdOrName = <T extends NamedState>(states: Iterable<T>): Map<string, T> => {
  const found = new Map<string, T>();
  for (const state of states) found.set(state.row.name, state).set(state.row.id, state);
  return found;
};

/** Builds the snapshot of a stored project; what has not changed since `previous` is reused with its compiled texts. */
export const snapshotOf = (
  stored: StoredProject,
  previous: LoadedConfiguration | undefined,
  options: ProjectReadOptions,
): LoadedConfiguration => {
  const fingerprint = fingerprintOf(stored);
  if (previous?.fingerprint === fingerprint) return previous;
  const { log, keys, limits } = options;
  const project = projectOf(stored.project, { log, keys, limits });
  const policies = policiesOf(stored, previous, options);
  const queries = queriesOf(stored, policies, previous, options);
  const queryBy = byIdOrName(queries.values());
  const resolvers = resolversOf(stored, previous, options);
  const resolverBy = byIdOrName(resolvers.values());
  const candidates = indexOf(policies.values());
  const introspects = stored.introspects
    .map((row) => decryptIntrospect(project.id, row, keys, log))
    .filter(isDefined);
  const snapshot: ProjectSnapshot = {
    project,
    kbacPolicies: lazy(() => [...policies.values()].map((policy) => policy.kbac()).filter(isDefined)),
    kbacCandidates: (subject, action, resource) =>
      candidates.get(questionKey(subject, action, resource))?.() ?? noCandidates,
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

/** States whose texts a new load need not fetch again. */
export const knownStates = (loaded: LoadedConfiguration | undefined): string[] =>
  loaded === undefined
    ? []
    : [...loaded.policies.keys(), ...loaded.queries.keys(), ...loaded.resolvers.keys()];

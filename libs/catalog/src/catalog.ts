import { watchChanges } from "@ikg/changes";
import type { Change, LimitBounds } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Budget } from "@ikg/policy-core";
import type { KeyRing } from "@ikg/secrets";
import type { Redis } from "ioredis";
import { firstLoads } from "./first-loads.ts";
import { openKeptProjects } from "./kept-projects.ts";
import { loadProject } from "./load.ts";
import type { Log, StoredKbacPolicy, StoredQuery } from "./policies.ts";
import {
  type CatalogProject,
  knownStates,
  type Loaded,
  type ProjectSnapshot,
  snapshotOf,
  type StoredIntrospect,
} from "./snapshot.ts";
import { weightOf } from "./weight.ts";

/** Stored records the way services want them; at most as old as the last announcement. */
export interface Catalog {
  /** Everything of a project in one state; undefined when there is no such project. */
  snapshot(projectId: string): Promise<ProjectSnapshot | undefined>;
  project(projectId: string): Promise<CatalogProject | undefined>;
  /** ACTIVE KBAC policies, oldest first; none for an unknown project. */
  kbacPolicies(projectId: string): Promise<readonly StoredKbacPolicy[]>;
  /** Those that a request with these types and this action is put to. The same list until something changes. */
  kbacCandidates(
    projectId: string,
    subjectType: string,
    action: string,
    resourceType: string,
  ): Promise<readonly StoredKbacPolicy[]>;
  /** An ACTIVE query with its ACTIVE policy, by gid or name. */
  query(projectId: string, idOrName: string): Promise<StoredQuery | undefined>;
  introspects(projectId: string): Promise<readonly StoredIntrospect[]>;
  close(): Promise<void>;
}

export interface CatalogParts {
  readonly graph: Graph;
  readonly redis: Redis;
  readonly log: Log;
  /** Opens what the configs service sealed; services that judge no bearers go without. */
  readonly keys?: KeyRing;
  /** Limits of projects that the operator sets; the built-in ones when unset. */
  readonly limits?: LimitBounds;
  /** What the expressions of policies may need; the default of the language when unset. */
  readonly budget?: Budget;
  /** Bytes of memory that the projects may take together; 256,000,000 when unset. */
  readonly memoryBytes?: number;
  /** Told of a change, and of a time in which some may not have been heard, once nothing older is answered here. */
  readonly onChange?: (change: Change | "gap") => void;
  /** Told of every project that was asked for: whether it was known. */
  readonly onLookup?: (hit: boolean) => void;
  readonly now?: () => number;
}

const maxProjects = 1_000;
const defaultMemoryBytes = 256_000_000;
/** Names that no project has are remembered so many, and so long. */
const maxUnknown = 10_000;
const unknownMs = 5_000;
/** Milliseconds: how old a project may get if an announcement was lost, and while none can arrive. */
const maxAge = 30_000;
const maxAgeUnheard = 2_000;

interface Entry {
  /** The last state seen: what has not changed since is taken over into the next. */
  last: Loaded | undefined;
  /** When `last` was asked for; undefined when it may have changed since. */
  readAt: number | undefined;
  loading: Promise<ProjectSnapshot | undefined> | undefined;
  /** Grows with every announced change, so that a load begun before it is known for old. */
  generation: number;
}

const none: readonly never[] = [];

/** Opens the catalog. It subscribes at once and loads each project when it is first asked for. */
export const openCatalog = (parts: CatalogParts): Catalog => {
  const { graph, redis, log, keys, limits, budget, onLookup = () => undefined, now = Date.now } = parts;
  const entries = new Map<string, Entry>();
  /** Names that no project had, with the time of the question. */
  const unknown = new Map<string, number>();
  const inTurn = firstLoads();
  const kept = openKeptProjects({ bytes: parts.memoryBytes ?? defaultMemoryBytes, projects: maxProjects });

  const rememberUnknown = (id: string, at: number): void => {
    unknown.delete(id);
    unknown.set(id, at);
    if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value ?? "");
  };
  const isUnknown = (id: string): boolean => {
    const at = unknown.get(id);
    if (at === undefined) return false;
    const stands = watch.standing() && now() - at < unknownMs;
    if (!stands) unknown.delete(id);
    return stands;
  };

  /** What is loading now may have been read before the change: nobody new waits for it, and it is not kept. */
  const forget = (entry: Entry): void => {
    entry.readAt = undefined;
    entry.loading = undefined;
    entry.generation++;
  };
  const heard = (change: Change): void => {
    const entry = change.project_id === undefined ? undefined : entries.get(change.project_id);
    if (entry !== undefined) forget(entry);
    unknown.delete(change.project_id ?? change.id);
    unknown.delete(change.id);
    if (change.kind === "project" && change.action === "deleted") graph.release(change.id);
    parts.onChange?.(change);
  };
  const missed = (): void => {
    entries.forEach(forget);
    unknown.clear();
    parts.onChange?.("gap");
  };
  const watch = watchChanges(redis, log, { onChange: heard, onGap: missed });

  const load = async (id: string, entry: Entry): Promise<ProjectSnapshot | undefined> => {
    // A later load may replace `entry.last` before this one ends; texts are missing of what this one has said to know.
    const { generation, last } = entry;
    const readAt = now();
    try {
      const ask = () => loadProject(graph.shared, id, knownStates(last));
      const stored = await (last === undefined ? inTurn(ask) : ask());
      const loaded = stored && snapshotOf(stored, last, { log, keys, limits, budget });
      if (entry.generation === generation) {
        entry.last = loaded;
        entry.readAt = readAt;
        if (loaded === undefined) rememberUnknown(id, readAt);
        else if (loaded !== last && entries.get(id) === entry) {
          const { organizationId } = loaded.snapshot.project;
          for (const dropped of kept.keep(id, organizationId, weightOf(loaded))) entries.delete(dropped);
        }
      }
      return loaded?.snapshot;
    } finally {
      if (entry.generation === generation) entry.loading = undefined;
      // Projects that do not exist take no place of those that do.
      const empty = entry.last === undefined && entry.loading === undefined;
      if (empty && entries.get(id) === entry) {
        entries.delete(id);
        kept.drop(id);
      }
    }
  };

  const isFresh = ({ readAt }: Entry): boolean =>
    readAt !== undefined && now() - readAt < (watch.standing() ? maxAge : maxAgeUnheard);

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? {
      last: undefined,
      readAt: undefined,
      loading: undefined,
      generation: 0,
    };
    entries.set(id, entry);
    kept.use(id);
    return entry;
  };

  const snapshot = (id: string): Promise<ProjectSnapshot | undefined> => {
    if (isUnknown(id)) {
      onLookup(true);
      return Promise.resolve(undefined);
    }
    const entry = entryOf(id);
    const known = entry.last !== undefined && isFresh(entry);
    onLookup(known);
    if (entry.last !== undefined && known) return Promise.resolve(entry.last.snapshot);
    return (entry.loading ??= load(id, entry));
  };

  return {
    snapshot,
    project: async (id) => (await snapshot(id))?.project,
    kbacPolicies: async (id) => (await snapshot(id))?.kbacPolicies() ?? none,
    kbacCandidates: async (id, subjectType, action, resourceType) =>
      (await snapshot(id))?.kbacCandidates(subjectType, action, resourceType) ?? none,
    query: async (id, idOrName) => (await snapshot(id))?.query(idOrName),
    introspects: async (id) => (await snapshot(id))?.introspects ?? none,
    close: () => watch.close(),
  };
};

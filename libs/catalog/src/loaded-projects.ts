import { SingleFlight } from "@ikg/concurrency";
import type { Graph } from "@ikg/graph";
import { firstLoads } from "./first-loads.ts";
import { openKeptProjects } from "./kept-projects.ts";
import { loadProject } from "./load.ts";
import type { Reading } from "./project.ts";
import { knownStates, type Loaded, type ProjectSnapshot, snapshotOf } from "./snapshot.ts";
import { weightOf } from "./weight.ts";

const maxProjects = 1_000;
const defaultMemoryBytes = 256_000_000;

interface Entry {
  readonly id: string;
  /** The last state seen: what has not changed since is taken over into the next. */
  last: Loaded | undefined;
  /** When `last` was queried; undefined when it may have changed since. */
  readAt: number | undefined;
  /** Grows with every announced change: a load that began before it is outdated. */
  generation: number;
}

export interface LoadedProjectsParts extends Reading {
  readonly graph: Graph;
  /** Bytes of memory that the projects may take together; 256,000,000 when unset. */
  readonly memoryBytes?: number;
  /** Called with an id that no project has, and when the database was asked. */
  readonly onUnknown: (id: string, at: number) => void;
  readonly now: () => number;
}

/** The projects in memory, and those that are being loaded. */
export interface LoadedProjects {
  /** Notes that a project is asked for. @returns its last state, if it is younger than `maxAgeMs`. */
  fresh(id: string, maxAgeMs: number): ProjectSnapshot | undefined;
  /** Loads a project, once for all who ask meanwhile; undefined when there is none. */
  load(id: string): Promise<ProjectSnapshot | undefined>;
  /** The project may have changed: what is loading now is answered only to those who wait for it already. */
  invalidate(id: string): void;
  invalidateAll(): void;
}

export const openLoadedProjects = (parts: LoadedProjectsParts): LoadedProjects => {
  const { graph, log, keys, limits, budget, onUnknown, now } = parts;
  const entries = new Map<string, Entry>();
  const loads = new SingleFlight<Entry, ProjectSnapshot | undefined>();
  const inTurn = firstLoads();
  const kept = openKeptProjects({ bytes: parts.memoryBytes ?? defaultMemoryBytes, projects: maxProjects });

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? { id, last: undefined, readAt: undefined, generation: 0 };
    entries.set(id, entry);
    kept.use(id);
    return entry;
  };

  const invalidate = (entry: Entry): void => {
    entry.readAt = undefined;
    entry.generation++;
    loads.forget(entry);
  };

  const keep = (entry: Entry, loaded: Loaded | undefined, readAt: number): void => {
    const { id, last } = entry;
    entry.last = loaded;
    entry.readAt = readAt;
    if (loaded === undefined) onUnknown(id, readAt);
    else if (loaded !== last && entries.get(id) === entry) {
      const { organizationId } = loaded.snapshot.project;
      for (const dropped of kept.keep(id, organizationId, weightOf(loaded))) entries.delete(dropped);
    }
  };

  /** Projects that do not exist take no place of those that do. */
  const dropIfEmpty = (entry: Entry, isLoading: boolean): void => {
    if (entry.last !== undefined || isLoading || entries.get(entry.id) !== entry) return;
    entries.delete(entry.id);
    kept.drop(entry.id);
  };

  const load = async (entry: Entry): Promise<ProjectSnapshot | undefined> => {
    // A later load may replace `entry.last` before this one ends; the texts that are known from this one are not loaded again.
    const { id, generation, last } = entry;
    const readAt = now();
    try {
      const query = () => loadProject(graph.shared, id, knownStates(last));
      const stored = await (last === undefined ? inTurn(query) : query());
      const loaded = stored && snapshotOf(stored, last, { log, keys, limits, budget });
      if (entry.generation === generation) keep(entry, loaded, readAt);
      return loaded?.snapshot;
    } finally {
      dropIfEmpty(entry, entry.generation !== generation && loads.has(entry));
    }
  };

  return {
    fresh: (id, maxAgeMs) => {
      const { last, readAt } = entryOf(id);
      const isFresh = readAt !== undefined && now() - readAt < maxAgeMs;
      return isFresh ? last?.snapshot : undefined;
    },
    load: (id) => {
      const entry = entryOf(id);
      return loads.run(entry, () => load(entry));
    },
    invalidate: (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) invalidate(entry);
    },
    invalidateAll: () => entries.forEach(invalidate),
  };
};

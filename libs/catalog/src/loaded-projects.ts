import { RefreshAhead, SingleFlight } from "@ikg/concurrency";
import type { Graph } from "@ikg/graph";
import { firstLoads } from "./first-loads.ts";
import { type ProjectCache, openProjectCache } from "./project-cache.ts";
import { loadProject } from "./load.ts";
import type { ProjectReadOptions } from "./project.ts";
import { knownStates, type LoadedConfiguration, type ProjectSnapshot, snapshotOf } from "./snapshot.ts";
import { weightOf } from "./weight.ts";

const maxProjects = 1_000;
/** Projects that are read ahead at a time: their statements are not scheduled, and share connections with those of requests. */
const readsAhead = 8;
const defaultMemoryBytes = 256_000_000;

interface Entry {
  readonly id: string;
  /** The last state that was read; the next one reuses what has not changed since. */
  last: LoadedConfiguration | undefined;
  /** When `last` was queried; undefined when it may have changed since. */
  readAt: number | undefined;
  /** Grows with every announced change: a load that began before it is outdated. */
  generation: number;
}

export interface LoadedProjectsParts extends ProjectReadOptions {
  readonly graph: Graph;
  /** Bytes of memory that the projects may take together; 256,000,000 when unset. */
  readonly memoryBytes?: number;
  /** Called with an id that no project has, and the time of the query. */
  readonly onUnknown: (id: string, at: number) => void;
  readonly now: () => number;
}

/** The projects in memory, and those that are being loaded. */
export interface LoadedProjects {
  /** Records a use of a project, and reads it again before it is too old. @returns its last state, if it is younger than `maxAgeMs`. */
  fresh(id: string, maxAgeMs: number): ProjectSnapshot | undefined;
  /** Loads a project, once for all concurrent callers; undefined when there is none. */
  load(id: string): Promise<ProjectSnapshot | undefined>;
  /** The project may have changed: the result of a load that is running goes only to the callers that wait for it already. */
  invalidate(id: string): void;
  invalidateAll(): void;
}

class ProjectLoads implements LoadedProjects {
  readonly #parts: LoadedProjectsParts;
  readonly #entries = new Map<string, Entry>();
  readonly #loads = new SingleFlight<Entry, ProjectSnapshot | undefined>();
  readonly #inTurn = firstLoads();
  readonly #cache: ProjectCache;
  readonly #refreshAhead: RefreshAhead<Entry>;

  constructor(parts: LoadedProjectsParts) {
    this.#parts = parts;
    this.#refreshAhead = new RefreshAhead(parts.now, readsAhead);
    this.#cache = openProjectCache({ bytes: parts.memoryBytes ?? defaultMemoryBytes, projects: maxProjects });
  }

  fresh(id: string, maxAgeMs: number): ProjectSnapshot | undefined {
    const entry = this.#entryOf(id);
    const { last, readAt } = entry;
    if (last === undefined || readAt === undefined || this.#parts.now() - readAt >= maxAgeMs)
      return undefined;
    this.#refreshAhead.start(entry, readAt, maxAgeMs, () => this.load(id));
    return last.snapshot;
  }

  load(id: string): Promise<ProjectSnapshot | undefined> {
    const entry = this.#entryOf(id);
    return this.#loads.run(entry, () => this.#load(entry));
  }

  invalidate(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#invalidate(entry);
  }

  invalidateAll(): void {
    for (const entry of this.#entries.values()) this.#invalidate(entry);
  }

  #entryOf(id: string): Entry {
    const entry = this.#entries.get(id) ?? { id, last: undefined, readAt: undefined, generation: 0 };
    this.#entries.set(id, entry);
    this.#cache.use(id);
    return entry;
  }

  #invalidate(entry: Entry): void {
    entry.readAt = undefined;
    entry.generation++;
    this.#loads.forget(entry);
  }

  async #load(entry: Entry): Promise<ProjectSnapshot | undefined> {
    const { graph, log, keys, limits, budget, now } = this.#parts;
    // A later load may replace `entry.last` before this one ends; the texts that are known from this one are not loaded again.
    const { id, generation, last } = entry;
    const readAt = now();
    try {
      const query = () => loadProject(graph.shared, id, knownStates(last));
      const stored = await (last === undefined ? this.#inTurn(query) : query());
      const loaded = stored && snapshotOf(stored, last, { log, keys, limits, budget });
      if (entry.generation === generation) this.#keep(entry, loaded, readAt);
      return loaded?.snapshot;
    } finally {
      this.#dropIfEmpty(entry, entry.generation !== generation && this.#loads.has(entry));
    }
  }

  #keep(entry: Entry, loaded: LoadedConfiguration | undefined, readAt: number): void {
    const { id, last } = entry;
    entry.last = loaded;
    entry.readAt = readAt;
    if (loaded === undefined) this.#parts.onUnknown(id, readAt);
    else if (loaded !== last && this.#entries.get(id) === entry) {
      const { organizationId } = loaded.snapshot.project;
      const dropped = this.#cache.keep(id, organizationId, weightOf(loaded));
      for (const each of dropped) this.#entries.delete(each);
    }
  }

  /** An id that no project has takes no entry from one that exists. */
  #dropIfEmpty(entry: Entry, isLoading: boolean): void {
    if (entry.last !== undefined || isLoading || this.#entries.get(entry.id) !== entry) return;
    this.#entries.delete(entry.id);
    this.#cache.drop(entry.id);
  }
}

export const openLoadedProjects = (parts: LoadedProjectsParts): LoadedProjects => new ProjectLoads(parts);

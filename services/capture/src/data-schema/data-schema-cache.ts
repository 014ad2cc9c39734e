import { LRUCache } from "lru-cache";
import { SingleFlight, withTimeout } from "@ikg/concurrency";
import { type DataSchema, Problem } from "@ikg/contracts";
import type { Project } from "../projects/projects.ts";

/** Maximum age of a schema in a response. */
const freshMs = 60_000;
/** Age at which a schema is counted again, so that the next caller does not wait. */
const renewMs = 35_000;
/** Time after the last request for which recounting continues. */
const interestMs = 600_000;
const roundMs = 5_000;
const maxProjects = 200;
/** How long the first caller waits; counting continues without it. */
const timeoutMs = 20_000;

interface CacheEntry {
  project: Project;
  schema: DataSchema | undefined;
  /** When it was counted; undefined before the first time. */
  at: number | undefined;
  requestedAt: number;
}

/** Data schemas by project, counted in the background and not by each request. */
export interface DataSchemaCache {
  /**
   * @returns undefined when nothing was captured yet.
   * @throws Problem `unavailable` (503) when counting for the first time takes longer than a caller should wait; what
   *   counting throws.
   */
  of(project: Project): Promise<DataSchema | undefined>;
  close(): Promise<void>;
}

/** @param count counts the graph of a project. */
export const openDataSchemaCache = (
  count: (project: Project, signal: AbortSignal) => Promise<DataSchema | undefined>,
  now: () => number = Date.now,
): DataSchemaCache => {
  const cache = new LRUCache<string, CacheEntry>({ max: maxProjects });
  const counts = new SingleFlight<CacheEntry, void>();
  const stop = new AbortController();

  const countAnew = (entry: CacheEntry): Promise<void> =>
    counts.run(entry, async () => {
      const at = now();
      entry.schema = await count(entry.project, stop.signal);
      // An empty graph is counted in no time, and may be filled at once.
      entry.at = entry.schema === undefined ? undefined : at;
    });

  const round = setInterval(() => {
    for (const [id, entry] of [...cache.entries()]) {
      if (now() - entry.requestedAt > interestMs) cache.delete(id);
      else if (entry.at !== undefined && now() - entry.at > renewMs) countAnew(entry).catch(() => undefined); // the next caller receives the error
    }
  }, roundMs).unref();

  const entryOf = (project: Project): CacheEntry => {
    const entry = cache.get(project.id) ?? { project, schema: undefined, at: undefined, requestedAt: 0 };
    entry.project = project;
    entry.requestedAt = now();
    cache.set(project.id, entry);
    return entry;
  };

  return {
    of: async (project) => {
      const entry = entryOf(project);
      if (entry.at !== undefined && now() - entry.at <= freshMs) return entry.schema;
      await withTimeout(
        countAnew(entry),
        timeoutMs,
        () => new Problem("unavailable", { headers: { "Retry-After": "10" } }),
      );
      return entry.schema;
    },
    close: async () => {
      clearInterval(round);
      stop.abort();
      await counts.settled();
    },
  };
};

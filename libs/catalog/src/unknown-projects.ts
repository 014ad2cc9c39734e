import { LRUCache } from "lru-cache";

const maxIds = 10_000;
const lifetimeMs = 5_000;

/** Ids that no project has, so that whoever repeats one does not repeat the query of the database. */
export interface UnknownProjects {
  /** @param at milliseconds; when the database was asked. */
  add(id: string, at: number): void;
  /** @param isStanding false while the creation of a project could not be announced: nothing is known then. */
  has(id: string, isStanding: boolean): boolean;
  delete(id: string): void;
  clear(): void;
}

export const openUnknownProjects = (now: () => number): UnknownProjects => {
  const ids = new LRUCache<string, number>({ max: maxIds });
  return {
    add: (id, at) => void ids.set(id, at),
    has: (id, isStanding) => {
      const at = ids.get(id);
      if (at === undefined) return false;
      const isCurrent = isStanding && now() - at < lifetimeMs;
      if (!isCurrent) ids.delete(id);
      return isCurrent;
    },
    delete: (id) => void ids.delete(id),
    clear: () => ids.clear(),
  };
};

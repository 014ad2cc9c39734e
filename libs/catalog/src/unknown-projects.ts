import { LRUCache } from "lru-cache";

const maxIds = 10_000;
const lifetimeMs = 5_000;

/** Ids that no project has, so that a repeated one does not repeat the query. */
export interface UnknownProjects {
  /** @param at time of the query, in milliseconds. */
  add(id: string, at: number): void;
  /** @param isConnected false while the creation of a project could not be announced: nothing is known then. */
  has(id: string, isConnected: boolean): boolean;
  delete(id: string): void;
  clear(): void;
}

export const openUnknownProjects = (now: () => number): UnknownProjects => {
  const ids = new LRUCache<string, number>({ max: maxIds });
  return {
    add: (id, at) => void ids.set(id, at),
    has: (id, isConnected) => {
      const at = ids.get(id);
      if (at === undefined) return false;
      const isCurrent = isConnected && now() - at < lifetimeMs;
      if (!isCurrent) ids.delete(id);
      return isCurrent;
    },
    delete: (id) => void ids.delete(id),
    clear: () => ids.clear(),
  };
};

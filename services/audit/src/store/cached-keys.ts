import { LRUCache } from "lru-cache";
import type { Chains } from "./chains.ts";

type Keys = Awaited<ReturnType<Chains["keys"]>>;

const maxChains = 1_000;
const lifetimeMs = 5_000;

/**
 * Reads the public keys of chains through a cache. The route is public, so the cache keeps its load from the database: keys,
 * also an empty list, are cached for a few seconds as long as their version stays the same.
 *
 * @param versionOf undefined while nothing may be cached.
 */
export const cachedKeys = (
  read: (project: string) => Promise<Keys>,
  versionOf: (project: string) => Promise<string | undefined>,
  now: () => number = Date.now,
): ((project: string) => Promise<Keys>) => {
  const cache = new LRUCache<string, { readonly version: string; readonly at: number; readonly keys: Keys }>({
    max: maxChains,
  });
  return async (project) => {
    // Read before the keys, which are then at least as new as their version.
    const version = await versionOf(project);
    const found = cache.get(project);
    const at = now();
    if (found !== undefined && found.version === version && at - found.at < lifetimeMs) return found.keys;
    const keys = await read(project);
    if (version === undefined) cache.delete(project);
    else cache.set(project, { version, at, keys });
    return keys;
  };
};

import { LRUCache } from "lru-cache";
import type { Chains } from "./chains.ts";

type Keys = Awaited<ReturnType<Chains["keys"]>>;

const maxChains = 1_000;
const lifetimeMs = 5_000;

/**
 * The public keys of chains. Anybody may ask for them, so that the database is not asked by everybody: they are kept for some
 * seconds, also that a chain has none, as long as their version is the same.
 *
 * @param versionOf undefined while nothing may be kept.
 */
export const keptKeys = (
  read: (project: string) => Promise<Keys>,
  versionOf: (project: string) => Promise<string | undefined>,
  now: () => number = Date.now,
): ((project: string) => Promise<Keys>) => {
  const kept = new LRUCache<string, { readonly version: string; readonly at: number; readonly keys: Keys }>({
    max: maxChains,
  });
  return async (project) => {
    // Before the keys are read: those of a version are at least as new as it.
    const version = await versionOf(project);
    const found = kept.get(project);
    const at = now();
    if (found !== undefined && found.version === version && at - found.at < lifetimeMs) return found.keys;
    const keys = await read(project);
    if (version === undefined) kept.delete(project);
    else kept.set(project, { version, at, keys });
    return keys;
  };
};

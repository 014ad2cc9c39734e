import { LRUCache } from "lru-cache";
import { type NameKind, nameKinds, type NamesByKind, noNames } from "./name-use.ts";

/** Names that one process keeps at most, of all projects: ten times what one project may have. */
const maxNames = 200_000;

/**
 * Names that are listed for a project, as far as this process has seen them. Names are only ever added to a list, so what
 * is known here needs no look at the database.
 */
export interface KnownNames {
  of(key: string): NamesByKind;
  add(key: string, names: NamesByKind): void;
}

const nothing: NamesByKind = noNames();

/** A project without names takes a place as well. */
const sizeOf = (names: NamesByKind): number => nameKinds.reduce((sum, kind) => sum + names[kind].size, 1);

/** Opens the memory of a process: the project that was not used for longest is evicted first. */
export const openKnownNames = (limit: number = maxNames): KnownNames => {
  const projects = new LRUCache<string, Record<NameKind, Set<string>>>({
    maxSize: limit,
    sizeCalculation: sizeOf,
  });
  return {
    of: (key) => projects.get(key) ?? nothing,
    add: (key, added) => {
      const names = projects.get(key) ?? noNames();
      for (const kind of nameKinds) for (const name of added[kind]) names[kind].add(name);
      // The size of a value is computed when it is set as a new one.
      projects.delete(key);
      projects.set(key, names);
    },
  };
};

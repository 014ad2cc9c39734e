import { type NameKind, nameKinds, type NamesByKind, noNames } from "./name-use.ts";

/** Names that one process keeps at most, of all projects. */
const mostNames = 200_000;

/**
 * Names that are listed for a project, as far as this process has seen them. Names are only ever added to a list, so what
 * is known here needs no look at the database.
 */
export interface KnownNames {
  of(key: string): NamesByKind;
  add(key: string, names: NamesByKind): void;
}

const nothing: NamesByKind = noNames();

const sizeOf = (names: NamesByKind): number => nameKinds.reduce((sum, kind) => sum + names[kind].size, 0);

/** Opens the memory of a process: the project that was not used for longest is forgotten first. */
export const openKnownNames = (limit: number = mostNames): KnownNames => {
  const projects = new Map<string, Record<NameKind, Set<string>>>();
  let held = 0;
  const forgetOldest = (but: string): void => {
    for (const [key, names] of projects) {
      if (held <= limit) return;
      if (key === but) continue;
      projects.delete(key);
      held -= sizeOf(names);
    }
  };
  return {
    of: (key) => {
      const names = projects.get(key);
      if (names === undefined) return nothing;
      projects.delete(key);
      projects.set(key, names);
      return names;
    },
    add: (key, added) => {
      const names = projects.get(key) ?? noNames();
      held -= projects.has(key) ? sizeOf(names) : 0;
      for (const kind of nameKinds) for (const name of added[kind]) names[kind].add(name);
      projects.set(key, names);
      held += sizeOf(names);
      forgetOldest(key);
    },
  };
};

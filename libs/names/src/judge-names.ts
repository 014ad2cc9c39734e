import type { ProjectLimits } from "@ikg/contracts";
import { type NameKind, nameKinds, type NamesByKind, type NameUse, noNames } from "./name-use.ts";

/** What a use of names came to. */
export interface JudgedNames {
  /** Reasons of each use in its order; none where all of its names are listed or fit. */
  readonly refusals: readonly (readonly string[])[];
  /** New names that fit. */
  readonly added: NamesByKind;
}

const described: Readonly<Record<NameKind, string>> = {
  property_names: "property names",
  relationship_types: "relationship types",
  node_types: "node types",
};

/** The new names of one use by kind; undefined when it has none. */
export const newNamesOf = (use: NameUse, ...listed: readonly NamesByKind[]): NamesByKind | undefined => {
  let found: Record<NameKind, Set<string>> | undefined;
  use.visit((kind, name) => {
    if (listed.every((names) => !names[kind].has(name))) (found ??= noNames())[kind].add(name);
  });
  return found;
};

/**
 * Judges uses in their order: each is granted with all of its new names, or refused with a reason for each kind whose limit
 * they exceed. The names of a refused use do not count against the next one.
 *
 * @param listed names that the project has.
 */
export const judgeNames = (
  uses: readonly NameUse[],
  listed: NamesByKind,
  limits: Pick<ProjectLimits, NameKind>,
): JudgedNames => {
  const added = noNames();
  const refusals = uses.map((use) => {
    const names = newNamesOf(use, listed, added);
    if (names === undefined) return [];
    const reasons = nameKinds.flatMap((kind) => {
      const [first] = names[kind];
      const present = listed[kind].size + added[kind].size;
      const count = names[kind].size;
      if (first === undefined || present + count <= limits[kind]) return [];
      const others = count === 1 ? "" : " and others";
      return [
        `${use.place}: the project's graph has ${present} ${described[kind]} and cannot take ${count} more: ${first}${others} (limit ${kind}, ${limits[kind]})`,
      ];
    });
    if (reasons.length === 0)
      for (const kind of nameKinds) for (const name of names[kind]) added[kind].add(name);
    return reasons;
  });
  return { refusals, added };
};

import type { Writes } from "../../query/read-upserts.ts";
import { type Elements, valuesUnder } from "./elements.ts";

/**
 * The effects of an execution on the graph: keys of nodes, and numbers of relationships. Only an entry for the whole of an
 * element deletes it; one that loses properties is upserted.
 */
export interface WriteEffects {
  readonly upsertedNodes: readonly string[];
  readonly deletedNodes: readonly string[];
  readonly upsertedRelationships: number;
  readonly deletedRelationships: number;
}

/** The aliases of a list of deletes: those deleted as a whole, and those of which only parts are. */
export const deletedAliases = (
  paths: Writes["deleteNodes"] | Writes["deleteRelationships"],
): { readonly whole: readonly string[]; readonly inPart: readonly string[] } => {
  const whole = new Set<string>();
  for (const { kind, alias } of paths) if (kind === "node" || kind === "relationship") whole.add(alias);
  const inPart = new Set<string>();
  for (const { alias } of paths) if (!whole.has(alias)) inPart.add(alias);
  return { whole: [...whole], inPart: [...inPart] };
};

/** The effects of the upserts and deletes of a query on the elements of one execution. */
export const effectsOf = (writes: Writes, elements: Elements): WriteEffects => {
  const keysUnder = (names: readonly string[]) => valuesUnder(names, (name) => elements.keys(name));
  const idsUnder = (names: readonly string[]) => valuesUnder(names, (name) => elements.ids(name));
  const nodes = deletedAliases(writes.deleteNodes);
  const relationships = deletedAliases(writes.deleteRelationships);
  const upserted = writes.upsertRelationships.map((entry) =>
    entry.kind === "new"
      ? elements.pairs(entry.source, entry.target).length
      : elements.ids(entry.name).length,
  );
  const upsertedNames = new Set(writes.upsertRelationships.map(({ name }) => name));
  const changed = relationships.inPart.filter((alias) => !upsertedNames.has(alias));
  return {
    upsertedNodes: keysUnder([...writes.upsertNodes.map(({ name }) => name), ...nodes.inPart]),
    deletedNodes: keysUnder(nodes.whole),
    upsertedRelationships: upserted.reduce((sum, count) => sum + count, idsUnder(changed).length),
    deletedRelationships: idsUnder(relationships.whole).length,
  };
};

import type { Faults } from "../checked.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { PropertyWrite, Writes } from "./writes.ts";

const writesOf = (
  entries: Writes["upsertNodes"] | Writes["upsertRelationships"],
  alias: string,
): readonly PropertyWrite[] =>
  entries.flatMap((entry) => (entry.kind === "existing" && entry.name === alias ? entry.properties : []));

const nodeClash = (path: NodePath, properties: readonly PropertyWrite[]): boolean => {
  switch (path.kind) {
    case "property":
      return properties.some(({ name }) => name === path.name);
    case "metadata":
      return properties.some(
        ({ name, metadata }) => name === path.name && metadata.some(({ key }) => key === path.key),
      );
    default:
      return properties.length > 0;
  }
};

const relationshipClash = (path: RelationshipPath, properties: readonly PropertyWrite[]): boolean =>
  path.kind === "property" ? properties.some(({ name }) => name === path.name) : properties.length > 0;

/** Refuses paths that one query both upserts and deletes (policies specification 9.8). */
export const checkContradictions = (writes: Writes, faults: Faults): void => {
  writes.deleteNodes.forEach((path, index) => {
    if (nodeClash(path, writesOf(writes.upsertNodes, path.alias)))
      faults.add(`query.delete_nodes[${index}]`, `${path.text} is both upserted and deleted`);
  });
  writes.deleteRelationships.forEach((path, index) => {
    if (relationshipClash(path, writesOf(writes.upsertRelationships, path.alias)))
      faults.add(`query.delete_relationships[${index}]`, `${path.text} is both upserted and deleted`);
  });
};

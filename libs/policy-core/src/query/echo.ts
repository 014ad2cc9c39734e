import { mayReadNode, mayReadRelationship } from "../paths/allow.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { NodeUpsert, Writes } from "./read-upserts.ts";

/** What a query may project because it wrote it itself. */
export interface Echo {
  node(path: NodePath): boolean;
  relationship(path: RelationshipPath): boolean;
}

const externalId = (alias: string): NodePath => ({
  kind: "system",
  alias,
  field: "external_id",
  text: `${alias}.external_id`,
});

/** The values that an entry sets, as paths; other values that an existing node has are not among them. */
const written = ({ name: alias, properties }: NodeUpsert): readonly NodePath[] =>
  properties.flatMap(({ name, metadata }): NodePath[] => {
    const text = `${alias}.property.${name}`;
    return [
      { kind: "property", alias, name, text },
      ...metadata.map(({ key }): NodePath => {
        return { kind: "metadata", alias, name, key, text: `${text}.metadata.${key}` };
      }),
    ];
  });

const nodeEntries = ({ upsertNodes, upsertRelationships, deleteNodes }: Writes): readonly NodePath[] => [
  ...upsertNodes.flatMap((entry): NodePath[] => [
    entry.kind === "new" ? { kind: "node", alias: entry.name, text: entry.name } : externalId(entry.name),
    ...written(entry),
  ]),
  ...upsertRelationships.flatMap((entry) =>
    entry.kind === "new" ? [externalId(entry.source), externalId(entry.target)] : [],
  ),
  ...deleteNodes.map(({ alias }) => externalId(alias)),
];

/** Two texts of one path differ only in the long form of a value. */
const same = (a: NodePath, b: NodePath): boolean =>
  a.kind === b.kind &&
  a.alias === b.alias &&
  ("name" in a ? a.name : "") === ("name" in b ? b.name : "") &&
  ("key" in a ? a.key : "") === ("key" in b ? b.key : "");

export const echoOf = (writes: Writes | undefined): Echo => {
  if (writes === undefined) return { node: () => false, relationship: () => false };
  const nodes = nodeEntries(writes);
  const relationships = writes.upsertRelationships.map(({ name }): RelationshipPath => ({
    kind: "relationship",
    alias: name,
    text: name,
  }));
  return {
    node: (path) => mayReadNode(nodes, path) || writes.deleteNodes.some((deleted) => same(deleted, path)),
    relationship: (path) =>
      mayReadRelationship(relationships, path) ||
      writes.deleteRelationships.some(
        (deleted) =>
          deleted.alias === path.alias &&
          deleted.kind === path.kind &&
          (deleted.kind !== "property" || path.kind !== "property" || deleted.name === path.name),
      ),
  };
};

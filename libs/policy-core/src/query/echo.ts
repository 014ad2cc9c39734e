import { mayReadNode, mayReadRelationship } from "../paths/allow.ts";
import { topicOf, type NodePath, type RelationshipPath } from "../paths/path.ts";
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

/** One text for what a delete names, whether it is written with the long form of a value or without. */
const deletedText = (path: NodePath | RelationshipPath): string => `${path.kind} ${topicOf(path)}`;

export const echoOf = (writes: Writes | undefined): Echo => {
  if (writes === undefined) return { node: () => false, relationship: () => false };
  const nodes = nodeEntries(writes);
  const relationships = writes.upsertRelationships.map(({ name }): RelationshipPath => ({
    kind: "relationship",
    alias: name,
    text: name,
  }));
  const deletedNodes = new Set(writes.deleteNodes.map(deletedText));
  const deletedRelationships = new Set(writes.deleteRelationships.map(deletedText));
  return {
    node: (path) => mayReadNode(nodes, path) || deletedNodes.has(deletedText(path)),
    relationship: (path) =>
      mayReadRelationship(relationships, path) || deletedRelationships.has(deletedText(path)),
  };
};

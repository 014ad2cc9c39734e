import { namedMetadata } from "@ikg/contracts";
import type { NameUse, TakeName } from "@ikg/graph-names";
import { metadataField, propertyField, relationshipField } from "@ikg/physical";
import type { WriteStatements } from "@ikg/policy-core/statements";

type Writes = WriteStatements["writes"];

const named: ReadonlySet<string> = new Set(namedMetadata);

const nodeNames = (entry: Writes["upsertNodes"][number], take: TakeName): void => {
  if (entry.kind === "new") for (const label of [entry.type, ...entry.labels]) take("node_types", label);
  for (const { name, metadata } of entry.properties) {
    take("property_names", propertyField(name));
    for (const { key } of metadata) if (!named.has(key)) take("property_names", metadataField(name, key));
  }
};

const relationshipNames = (entry: Writes["upsertRelationships"][number], take: TakeName): void => {
  if (entry.kind === "new") take("relationship_types", entry.type);
  for (const { name } of entry.properties) take("property_names", relationshipField(name));
};

/** The names that the upserts of a query add to the database. They are in its text: values are never names. */
export const writeNames = ({ writes }: Pick<WriteStatements, "writes">): readonly NameUse[] => [
  ...writes.upsertNodes.map((entry, at) => ({
    place: `query.upsert_nodes[${at}]`,
    visit: (take: TakeName) => nodeNames(entry, take),
  })),
  ...writes.upsertRelationships.map((entry, at) => ({
    place: `query.upsert_relationships[${at}]`,
    visit: (take: TakeName) => relationshipNames(entry, take),
  })),
];

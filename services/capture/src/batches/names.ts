import type { UpsertNode, UpsertRelationship } from "@ikg/contracts";
import type { NameUse } from "@ikg/graph-names";
import { metadataField, propertyField, relationshipField } from "@ikg/physical";

/** The names that a node makes the database keep; the type is missing where the node is known to exist. */
export const nodeNames =
  ({
    type,
    labels = [],
    properties = [],
  }: Partial<Pick<UpsertNode, "type" | "labels" | "properties">>): NameUse["visit"] =>
  (take) => {
    if (type !== undefined) take("node_types", type);
    for (const label of labels) take("node_types", label);
    for (const { type: name, metadata } of properties) {
      take("property_names", propertyField(name));
      metadata?.custom_metadata?.forEach((_value, key) => take("property_names", metadataField(name, key)));
    }
  };

/** The names that a relationship makes the database keep. */
export const relationshipNames =
  ({ type, properties = [] }: Pick<UpsertRelationship, "type" | "properties">): NameUse["visit"] =>
  (take) => {
    take("relationship_types", type);
    for (const { type: name } of properties) take("property_names", relationshipField(name));
  };

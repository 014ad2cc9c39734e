import { isGraphRelationship } from "@ikg/graph";
import { nodeField, type NodeField } from "@ikg/physical";
import { type NodePath, type RelationshipPath, trustScores } from "@ikg/policy-core";
import { ExternalReference } from "./external-reference.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { fieldsInOrder, relationshipProperties } from "./whole.ts";

type Entry = readonly [string, unknown];

const pathSystemFields: ReadonlySet<string> = new Set([
  "external_id",
  "type",
  "id",
  "create_time",
  "update_time",
]);

/** The tail of the path under which a stored field leaves through a wildcard, if it does. */
const tailOf = (field: NodeField, path: NodePath): string | undefined => {
  switch (path.kind) {
    case "all":
      if (field.kind === "system") return pathSystemFields.has(field.field) ? field.field : undefined;
      return field.kind === "value" || field.kind === "external_value"
        ? `property.${field.property}`
        : undefined;
    case "all-properties":
      return field.kind === "value" || field.kind === "external_value"
        ? `property.${field.property}`
        : undefined;
    case "property-and-metadata":
      if (!("property" in field) || field.property !== path.name) return undefined;
      if (field.kind === "metadata") return `property.${field.property}.metadata.${field.key}`;
      return field.kind === "property_time" ? undefined : `property.${field.property}`;
    case "all-metadata":
      return field.kind === "metadata" && field.property === path.name
        ? `property.${field.property}.metadata.${field.key}`
        : undefined;
    default:
      return undefined;
  }
};

/** What a stored field shows; a reference to a resolver is not its value. */
const shownOf = (field: NodeField, stored: unknown, fields: Fields): unknown => {
  if (field.kind !== "external_value") return stored;
  const { external_id, type } = fields;
  return new ExternalReference({ resolver: stored, external_id, type }, field.property, fields);
};

/** A wildcard as single keys, one for each value that the node has. */
export const expandNode = (path: NodePath, value: unknown): readonly Entry[] => {
  const fields = fieldsOf(value);
  if (path.kind === "all-trust") {
    return trustScores.map((score) => [`${path.alias}.trust_score.${score}`, fields[score] ?? null]);
  }
  return fieldsInOrder(fields).flatMap(([name, stored]) => {
    const field = nodeField(name);
    const tail = field && tailOf(field, path);
    return field === undefined || tail === undefined
      ? []
      : [[`${path.alias}.${tail}`, shownOf(field, stored, fields)]];
  });
};

/** `r.*` as single keys: type, times, and each property. */
export const expandRelationship = (path: RelationshipPath, value: unknown): readonly Entry[] =>
  isGraphRelationship(value)
    ? Object.entries({ ...relationshipProperties(value.properties), type: value.type }).map(
        ([name, each]) => [`${path.alias}.${name}`, each],
      )
    : [];

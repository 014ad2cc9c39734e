import {
  type GraphNode,
  type GraphRelationship,
  isGraphNode,
  isGraphPath,
  isGraphRelationship,
  isPlainObject,
} from "@ikg/graph";
import {
  labelName,
  nodeField,
  type ProjectKey,
  relationshipFields,
  relationshipPropertyName,
} from "@ikg/physical";
import type { ElementIds } from "./element-ids.ts";

/** What values of a project need to be shown. */
export interface ShownProject {
  readonly pk: ProjectKey;
  readonly ids: ElementIds;
}

/** Stored fields by name. The database has them in the order in which they were written, the hidden ones among them. */
export const fieldsInOrder = (
  fields: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** User properties of a relationship, and its times, under the caller's names. */
export const relationshipProperties = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries([
    ...fieldsInOrder(fields).flatMap(([field, value]) => {
      const name = relationshipPropertyName(field);
      return name === undefined ? [] : [[name, value] as const];
    }),
    ["create_time", fields[relationshipFields.createTime] ?? null],
    ["update_time", fields[relationshipFields.updateTime] ?? null],
  ]);

/**
 * A node returned whole. `Props` holds system fields only: user properties are readable by paths of their own. Its ids are
 * the project's, not the database's.
 */
export const wholeNode = (node: GraphNode, { pk, ids }: ShownProject): Record<string, unknown> => {
  const { id, elementId } = ids.of(node.elementId);
  return {
    Id: id,
    ElementId: elementId,
    Labels: node.labels.flatMap((label) => labelName(label, pk) ?? []),
    Props: Object.fromEntries(
      fieldsInOrder(node.properties).filter(([field]) => nodeField(field)?.kind === "system"),
    ),
  };
};

/** A relationship returned whole; the ids of its ends are those of the nodes. */
const wholeRelationship = (
  relationship: GraphRelationship,
  { ids }: ShownProject,
): Record<string, unknown> => {
  const own = ids.of(relationship.elementId);
  const start = ids.of(relationship.startNodeElementId);
  const end = ids.of(relationship.endNodeElementId);
  return {
    Id: own.id,
    ElementId: own.elementId,
    StartId: start.id,
    StartElementId: start.elementId,
    EndId: end.id,
    EndElementId: end.elementId,
    Type: relationship.type,
    Props: relationshipProperties(relationship.properties),
  };
};

/** Any value of a row as JSON: nodes and relationships inside become whole objects, temporal values RFC 3339 text. */
export const jsonOf = (value: unknown, project: ShownProject): unknown => {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return typeof value === "bigint" ? Number(value) : value;
  if (Array.isArray(value)) return value.map((each) => jsonOf(each, project));
  if (isGraphNode(value)) return wholeNode(value, project);
  if (isGraphRelationship(value)) return wholeRelationship(value, project);
  if (isGraphPath(value)) {
    const [first] = value.segments;
    const nodes =
      first === undefined ? [value.start] : [first.start, ...value.segments.map(({ end }) => end)];
    return {
      nodes: nodes.map((node) => wholeNode(node, project)),
      relationships: value.segments.map(({ relationship }) => wholeRelationship(relationship, project)),
    };
  }
  if (isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, jsonOf(each, project)]));
  }
  // What is left are the driver's temporal and spatial classes; their own text is the standard's.
  // oxlint-disable-next-line typescript/no-base-to-string -- plain objects were dealt with above
  const text = String(value);
  // A duration without a time part ends with a T that ISO 8601 does not know.
  return /^-?P.*T$/.test(text) ? text.slice(0, -1) : text;
};

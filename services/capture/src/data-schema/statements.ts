import { locationField, nodeLabel, type ProjectKey, projectLabel, quoteName } from "@ikg/physical";

/** Nodes that callers captured, in this database: without proxies of nodes elsewhere, and without nodes of the platform. */
const nodes = (pk: ProjectKey): string =>
  `MATCH (n:${quoteName(projectLabel(pk))}) WHERE NOT n.type STARTS WITH '_' AND n.${locationField} IS NULL`;

const relationships = (pk: ProjectKey): string => {
  const label = quoteName(projectLabel(pk));
  return `MATCH (a:${label})-[r]->(b:${label}) WHERE NOT type(r) STARTS WITH '_'`;
};

/** Types of nodes with their number, how many of them are identities, and when the first one was created. */
export const nodeTypesText = (pk: ProjectKey): string => `${nodes(pk)}
RETURN n.type AS type, count(*) AS count, sum(CASE WHEN n.is_identity THEN 1 ELSE 0 END) AS identities,
  min(n.create_time) AS created`;

/** Physical fields of nodes by type, with the types of their values. */
export const nodeFieldsText = (pk: ProjectKey): string => `${nodes(pk)}
UNWIND keys(n) AS field
RETURN n.type AS type, field, valueType(n[field]) AS value, count(*) AS count`;

/** Labels of nodes by type, besides those that every node of a project has. */
export const nodeLabelsText = (pk: ProjectKey): string => `${nodes(pk)}
UNWIND [label IN labels(n) WHERE NOT label IN ['${nodeLabel}', '${projectLabel(pk)}']] AS label
RETURN n.type AS type, label, count(*) AS count`;

/** Relationships by their type and the types of their ends. */
export const edgesText = (pk: ProjectKey): string => `${relationships(pk)}
RETURN a.type AS source, type(r) AS relation, b.type AS target, count(*) AS count`;

/** Physical fields of relationships, with the types of their values. */
export const edgeFieldsText = (pk: ProjectKey): string => `${relationships(pk)}
UNWIND keys(r) AS field
RETURN a.type AS source, type(r) AS relation, b.type AS target, field, valueType(r[field]) AS value,
  count(*) AS count`;

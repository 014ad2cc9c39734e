import {
  keyField,
  nodeLabel,
  type ProjectKey,
  projectLabel,
  quoteName,
  relationshipFields,
  seekNodes,
} from "@ikg/physical";

const label = (pk: ProjectKey): string => quoteName(projectLabel(pk));

const keysBetween = (pk: ProjectKey): string => `${seekNodes}
WHERE n.${keyField} > $after AND n.${keyField} < $before AND n:${label(pk)}`;

/** A page of nodes that callers captured, in the order of their keys. Parameters: `after`, `before`, `size`. */
export const nodePageText = (pk: ProjectKey): string => `${keysBetween(pk)} AND NOT n.type STARTS WITH '_'
RETURN n.${keyField} AS k, labels(n) AS l, properties(n) AS p
ORDER BY n.${keyField} LIMIT $size`;

/** A page of keys of nodes, those of the platform included, each with how many relationships begin there. */
export const degreePageText = (pk: ProjectKey): string => `${keysBetween(pk)}
WITH n ORDER BY n.${keyField} LIMIT $size
RETURN n.${keyField} AS k, COUNT { (n)-->() } AS degree`;

/**
 * A page of relationships that begin at nodes and that callers captured. Parameters: `keys`, `size`, and the relationship after which
 * it begins: one of the first node, `t` its type, `b` the key of its target, `d` its discriminator; all empty for the first
 * page. The database orders stored texts by code point and compares them with parameters by UTF-16 unit; behind a prefix, the
 * parameter `mark`, they are texts of the request, and both orders are the latter.
 */
export const relationshipPageText = (pk: ProjectKey): string => {
  const discriminator = `coalesce(r.${relationshipFields.discriminator}, '')`;
  return `UNWIND range(0, size($keys) - 1) AS i
MATCH (n:${nodeLabel} {${keyField}: $keys[i]})
MATCH (n)-[r]->(m:${label(pk)})
WHERE n:${label(pk)} AND NOT type(r) STARTS WITH '_'
WITH i, n, r, m, $mark + type(r) AS t, $mark + m.${keyField} AS b, $mark + ${discriminator} AS d
WHERE i > 0 OR t > $t OR (t = $t AND (b > $b OR (b = $b AND d > $d)))
WITH i, n, r, m, t, b, d ORDER BY i, t, b, d LIMIT $size
RETURN $keys[i] AS a, n.type AS sourceType, n.external_id AS sourceId, t, b, d, type(r) AS type,
  m.type AS targetType, m.external_id AS targetId, properties(r) AS p`;
};

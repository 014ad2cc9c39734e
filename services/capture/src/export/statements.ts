import {
  keyField,
  nodeLabel,
  type ProjectKey,
  projectLabel,
  quoteName,
  relationshipFields,
} from "@ikg/physical";

const label = (pk: ProjectKey): string => quoteName(projectLabel(pk));

const keysBetween = (pk: ProjectKey): string => `MATCH (n:${nodeLabel})
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
 * A page of relationships that begin at nodes and that callers captured. Parameters: `keys`, `size`, and the one after which
 * it begins: `a` and `b` are the keys of its ends, `t` its type, `d` its discriminator; all empty for the first page.
 */
export const relationshipPageText = (pk: ProjectKey): string => {
  const discriminator = `coalesce(r.${relationshipFields.discriminator}, '')`;
  return `UNWIND $keys AS k
MATCH (n:${nodeLabel} {${keyField}: k})
MATCH (n)-[r]->(m:${label(pk)})
WHERE n:${label(pk)} AND NOT type(r) STARTS WITH '_'
WITH n, r, m, type(r) AS t, m.${keyField} AS b, ${discriminator} AS d
WHERE n.${keyField} > $a OR (n.${keyField} = $a AND
  (t > $t OR (t = $t AND (b > $b OR (b = $b AND d > $d)))))
WITH n, r, m, t, b, d ORDER BY n.${keyField}, t, b, d LIMIT $size
RETURN n.${keyField} AS a, n.type AS sourceType, n.external_id AS sourceId, t, b, d,
  m.type AS targetType, m.external_id AS targetId, properties(r) AS p`;
};

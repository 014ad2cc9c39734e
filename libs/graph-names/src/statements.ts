import { nodeLabel, projectNamesLabel, seekNodes, takeLock } from "@ikg/physical";

/**
 * Locks the list of a project's names, made if it is missing, and reads it. Parameters: `key`, and `now`, which is kept as
 * the time of a list that was just made.
 */
export const lockNamesText = `MERGE (g:${projectNamesLabel} {key: $key})
ON CREATE SET g.create_time = $now, g.property_names = [], g.relationship_types = [], g.node_types = []
${takeLock("g")}
RETURN g.property_names AS property_names, g.relationship_types AS relationship_types, g.node_types AS node_types,
  g.count_time AS countTime, g.counting_until AS countingUntil, g.labels AS labels,
  coalesce(g.in_organization, false) AS inOrganization, g.organization_types AS organizationTypes`;

/** Changes the list. Parameters: `key`, `fields`. */
export const setNamesText = `MATCH (g:${projectNamesLabel} {key: $key}) SET g += $fields`;

/** True when a range of keys has a node. Parameters: `ranges` of `after` and `before`, both exclusive. */
export const hasNodesText = `UNWIND $ranges AS range
CALL (range) {
  MATCH (n:${nodeLabel}) WHERE n._key > range.after AND n._key < range.before RETURN n LIMIT 1
}
RETURN true AS found LIMIT 1`;

/**
 * Distinct labels, relationship types and property keys of the next nodes of a range, by their keys. Parameters: `after`, `upTo`,
 * `size`. No row when there is none.
 */
export const namesOfNodesText = `${seekNodes}
WHERE n._key > $after AND n._key < $upTo
WITH n ORDER BY n._key LIMIT $size
WITH collect(n) AS nodes WHERE size(nodes) > 0
RETURN nodes[-1]._key AS last, size(nodes) AS size,
  COLLECT { UNWIND nodes AS n UNWIND labels(n) AS label RETURN DISTINCT label } AS labels,
  COLLECT { UNWIND nodes AS n UNWIND keys(n) AS field RETURN DISTINCT field } AS nodeFields,
  COLLECT { UNWIND nodes AS n MATCH (n)-[r]->() RETURN DISTINCT type(r) } AS types,
  COLLECT { UNWIND nodes AS n MATCH (n)-[r]->() UNWIND keys(r) AS field RETURN DISTINCT field } AS relationshipFields`;

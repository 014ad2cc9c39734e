import {
  locationField,
  nodeLabel,
  type ProjectKey,
  projectLabel,
  quoteName,
  systemRelationships,
  systemTypes,
  typeLabel,
} from "@ikg/physical";

/**
 * Writes nodes of whatever types and projects: labels are parameters, so that a batch is one statement, and the database
 * plans one text for all of them. Parameters: `rows` of `{i, k, id, t, x, p, l}` sorted by `k`, where `l` are the labels of
 * a new node, and `now`.
 */
export const upsertNodesText = `UNWIND $rows AS row
MERGE (n:${nodeLabel} {_key: row.k})
ON CREATE SET n:$(row.l), n.id = row.id, n.type = row.t, n.external_id = row.x,
  n.is_identity = false, n.create_time = $now
SET n += row.p, n.update_time = $now
RETURN row.i AS i, n.id AS id`;

/**
 * Writes proxies of nodes: their names, where they are, and nothing of their properties. Parameters: `rows` of
 * `{k, id, t, x, l, location}` sorted by `k`, where `l` are the labels of a new node, and `now`.
 */
export const upsertProxiesText = `UNWIND $rows AS row
MERGE (n:${nodeLabel} {_key: row.k})
ON CREATE SET n:$(row.l), n.type = row.t, n.external_id = row.x, n.is_identity = false, n.create_time = $now
SET n.id = row.id, n.${locationField} = row.location, n.update_time = $now`;

/**
 * Replaces the extra labels of nodes. Parameters: `rows` of `{k, keep, set}` sorted by `k`, where `keep` are all
 * labels that the node shall have afterwards and `set` the extra ones among them.
 */
export const replaceLabelsText = `UNWIND $rows AS row
MATCH (n:${nodeLabel} {_key: row.k})
WITH n, row, [label IN labels(n) WHERE NOT label IN row.keep] AS former
REMOVE n:$(former)
SET n:$(row.set)`;

/**
 * Removes nodes with their relationships and trust scores. Parameters: `rows` of `{i, k}`
 * sorted by `k`. Returns the rows whose node was there, with its gid.
 */
export const deleteNodesText = (pk: ProjectKey): string => {
  const score = quoteName(typeLabel(systemTypes.trustScore, pk));
  return `UNWIND $rows AS row
MATCH (n:${nodeLabel} {_key: row.k})
OPTIONAL MATCH (n)-[:${quoteName(systemRelationships.trustScore)}]->(t:${score})
WITH row, n, n.id AS id, collect(t) AS scores
DETACH DELETE n
FOREACH (t IN scores | DETACH DELETE t)
RETURN row.i AS i, id`;
};

/** How many relationships nodes have between them. Parameter: `keys`. */
export const countRelationshipsText = `UNWIND $keys AS k
MATCH (n:${nodeLabel} {_key: k})
RETURN sum(COUNT { (n)--() }) AS total`;

/** Removes some relationships of nodes. Parameters: `keys`, `size`. */
export const detachText = `UNWIND $keys AS k
MATCH (n:${nodeLabel} {_key: k})
MATCH (n)-[r]-()
WITH DISTINCT r LIMIT $size
DELETE r`;

/**
 * Removes fields of nodes: those that are named, and those below a prefix but for the ones to keep. Parameters: `rows`
 * of `{i, k, exact, below, keep}` sorted by `k`, and `now`. Returns the rows whose node was there, with its gid.
 */
export const removeFieldsText = `UNWIND $rows AS row
MATCH (n:${nodeLabel} {_key: row.k})
SET n.update_time = $now
FOREACH (field IN [f IN keys(n) WHERE f IN row.exact
    OR (any(prefix IN row.below WHERE f STARTS WITH prefix) AND NOT f IN row.keep)] | REMOVE n[field])
RETURN row.i AS i, n.id AS id`;

/** The name of a node of this project by its gid, and its location if it is elsewhere. Parameter: `id`. */
export const nodeNameText = (pk: ProjectKey): string => `MATCH (n:${nodeLabel} {id: $id})
WHERE n:${quoteName(projectLabel(pk))}
RETURN n.type AS type, n.external_id AS externalId, n.${locationField} AS location`;

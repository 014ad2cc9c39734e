import { nodeLabel, type ProjectKey, projectLabel, quoteName, typeLabel } from "@ikg/physical";

/**
 * Writes nodes of one type (neo4j specification 10). Labels cannot be parameters; they are checked names, quoted.
 * Parameters: `rows` of `{i, k, id, x, p}` sorted by `k`, `type`, `now`.
 */
export const upsertNodesText = (pk: ProjectKey, type: string): string => {
  const labels = [projectLabel(pk), typeLabel(type, pk)].map(quoteName).join(":");
  return `UNWIND $rows AS row
MERGE (n:${nodeLabel} {_key: row.k})
ON CREATE SET n:${labels}, n.id = row.id, n.type = $type, n.external_id = row.x,
  n.is_identity = false, n.create_time = $now
SET n += row.p, n.update_time = $now
RETURN row.i AS i, n.id AS id`;
};

/**
 * Replaces the extra labels of nodes. Parameters: `rows` of `{k, keep, set}` sorted by `k`, where `keep` are all
 * labels that the node shall have afterwards and `set` the extra ones among them.
 */
export const replaceLabelsText = `UNWIND $rows AS row
MATCH (n:${nodeLabel} {_key: row.k})
WITH n, row, [label IN labels(n) WHERE NOT label IN row.keep] AS former
REMOVE n:$(former)
SET n:$(row.set)`;

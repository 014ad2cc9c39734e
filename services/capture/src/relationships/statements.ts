import { nodeLabel, quoteName, relationshipFields } from "@ikg/physical";

const { createTime, updateTime, discriminator } = relationshipFields;

/**
 * Writes relationships of one type between nodes that exist; a row whose end is missing gives no result
 * (neo4j specification 10). Parameters: `rows` of `{i, a, b, d, p}` sorted by `a`, `b`, and `now`.
 */
export const upsertRelationshipsText = (type: string): string => `UNWIND $rows AS row
MATCH (a:${nodeLabel} {_key: row.a})
MATCH (b:${nodeLabel} {_key: row.b})
MERGE (a)-[r:${quoteName(type)} {${discriminator}: row.d}]->(b)
ON CREATE SET r.${createTime} = $now
SET r += row.p, r.${updateTime} = $now
RETURN row.i AS i`;

/** Which of these nodes exist. Parameter: `keys`. */
export const existingKeysText = `UNWIND $keys AS k
MATCH (n:${nodeLabel} {_key: k})
RETURN k`;

/**
 * Locks nodes in the order of the keys until the transaction ends: removing a property that is not there changes
 * nothing and takes the lock all the same. Parameter: `keys`, sorted.
 */
export const lockNodesText = `UNWIND $keys AS k
MATCH (n:${nodeLabel} {_key: k})
REMOVE n._lock`;

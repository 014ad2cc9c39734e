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
 * The relationships that a row means. Both ends first, each by its key, and the subquery so that it stays like that: from
 * one end alone all relationships of a hub would be looked at.
 */
const meant = (type: string): string => `MATCH (a:${nodeLabel} {_key: row.a})
MATCH (b:${nodeLabel} {_key: row.b})
CALL (row, a, b) {
  MATCH (a)-[r:${quoteName(type)}]->(b)
  WHERE row.d IS NULL OR r.${discriminator} = row.d
  RETURN r
}`;

/**
 * Removes relationships of one type. Parameters: `rows` of `{i, a, b, d}` sorted by `a`, `b`; without `d` all parallel
 * ones are meant. Returns the rows that found one, with the smallest discriminator found.
 */
export const deleteRelationshipsText = (type: string): string => `UNWIND $rows AS row
${meant(type)}
WITH row, collect(r) AS found, min(r.${discriminator}) AS d
FOREACH (r IN found | DELETE r)
RETURN row.i AS i, d`;

/** Removes properties of such relationships; `p` of a row holds a null for each. Parameter besides: `now`. */
export const removePropertiesText = (type: string): string => `UNWIND $rows AS row
${meant(type)}
SET r += row.p, r.${updateTime} = $now
RETURN row.i AS i, min(r.${discriminator}) AS d`;

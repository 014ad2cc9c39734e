import { nodeLabel, quoteName, relationshipFields } from "@ikg/physical";

const { createTime, updateTime, discriminator } = relationshipFields;

/** A type as it stands in a pattern: of every row its own `t`, where `undefined` is given. */
const typeText = (type: string | undefined): string => (type === undefined ? "$(row.t)" : quoteName(type));

/**
 * Writes relationships between nodes that exist; a row whose end is missing gives no result. Parameters: `rows` of
 * `{i, t, a, b, d, p}` sorted by `a`, `b`, and `now`.
 *
 * @param type of all rows; undefined for rows of whatever types.
 */
export const upsertRelationshipsText = (type: string | undefined): string => `UNWIND $rows AS row
MATCH (a:${nodeLabel} {_key: row.a})
MATCH (b:${nodeLabel} {_key: row.b})
MERGE (a)-[r:${typeText(type)} {${discriminator}: row.d}]->(b)
ON CREATE SET r.${createTime} = $now
SET r += row.p, r.${updateTime} = $now
RETURN row.i AS i`;

/** Which of these nodes exist. Parameter: `keys`. */
export const existingKeysText = `UNWIND $keys AS k
MATCH (n:${nodeLabel} {_key: k})
RETURN k`;

/**
 * Matches the relationships that a row selects. Both ends first, each by its key, and the subquery so that it stays like that: from
 * one end alone all relationships of a hub would be looked at.
 */
const matchSelected = (type: string | undefined): string => `MATCH (a:${nodeLabel} {_key: row.a})
MATCH (b:${nodeLabel} {_key: row.b})
CALL (row, a, b) {
  MATCH (a)-[r:${typeText(type)}]->(b)
  WHERE row.d IS NULL OR r.${discriminator} = row.d
  RETURN r
}`;

/**
 * Removes relationships of one type, or of the type of each row. Parameters: `rows` of `{i, t, a, b, d}` sorted by `a`, `b`; without `d` all parallel
 * ones are selected. Returns the rows that found one, with the smallest discriminator found.
 */
export const deleteRelationshipsText = (type: string | undefined): string => `UNWIND $rows AS row
${matchSelected(type)}
WITH row, collect(r) AS found, min(r.${discriminator}) AS d
FOREACH (r IN found | DELETE r)
RETURN row.i AS i, d`;

/** Removes properties of such relationships; `p` of a row holds a null for each. Further parameter: `now`. */
export const removePropertiesText = (type: string | undefined): string => `UNWIND $rows AS row
${matchSelected(type)}
SET r += row.p, r.${updateTime} = $now
RETURN row.i AS i, min(r.${discriminator}) AS d`;

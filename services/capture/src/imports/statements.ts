import { importChunkLabel, importRejectionLabel, takeLock } from "@ikg/physical";

/** Stages chunks. Parameter: `chunks` of `{key, rows, data}`. */
export const stageChunksText = `UNWIND $chunks AS chunk
CREATE (c:${importChunkLabel})
SET c = chunk`;

/** Notes rejected lines. Parameter: `lines` of `{key, line, errors}`. */
export const rejectText = `UNWIND $lines AS line
CREATE (r:${importRejectionLabel})
SET r = line`;

/** The first chunk between two keys. Parameters: `after`, `before`. */
export const nextChunkText = `MATCH (c:${importChunkLabel})
WHERE c.key > $after AND c.key < $before
RETURN c.key AS key, c.data AS data ORDER BY c.key LIMIT 1`;

/** Locks a chunk until the transaction ends: a second worker waits, and then finds it gone. Parameter: `key`. */
export const lockChunkText = `MATCH (c:${importChunkLabel} {key: $key})
${takeLock("c")}`;

/**
 * Takes a locked chunk, unless it is gone, or an earlier one of its bucket is still there: another worker writes that.
 * Parameters: `key`, and `first`, which all keys of the bucket begin with.
 */
export const takeChunkText = `MATCH (c:${importChunkLabel} {key: $key})
WHERE NOT EXISTS { MATCH (e:${importChunkLabel}) WHERE e.key >= $first AND e.key < $key }
DELETE c
RETURN true AS taken`;

/** Rows that wait, by kind. Parameters: `after`, `before`, and `relationships`: where their keys begin. */
export const waitingText = `MATCH (c:${importChunkLabel})
WHERE c.key > $after AND c.key < $before
RETURN c.key >= $relationships AS relationships, sum(c.rows) AS rows`;

/** How many rejected lines are kept, and how many were not kept while rows were written. Parameters: `after`, `before`. */
export const countRejectedText = `MATCH (r:${importRejectionLabel})
WHERE r.key > $after AND r.key < $before
RETURN count(r.line) AS kept, sum(coalesce(r.more, 0)) AS more`;

/** Counts rejected lines that are not kept. Parameters: `key`, `more`. */
export const notKeptText = `MERGE (r:${importRejectionLabel} {key: $key})
SET r.more = coalesce(r.more, 0) + $more`;

/** A page of rejected lines. Parameters: `after`, `before`, `limit`. */
export const rejectedText = `MATCH (r:${importRejectionLabel})
WHERE r.key > $after AND r.key < $before AND r.line IS NOT NULL
RETURN r.line AS line, r.errors AS errors ORDER BY r.key LIMIT $limit`;

/** Removes what is staged under a label. Parameters: `after`, `before`, `limit`. */
export const removeStagedText = (label: string): string => `MATCH (s:${label})
WHERE s.key > $after AND s.key < $before
WITH s LIMIT $limit
DELETE s
RETURN count(*) AS removed`;

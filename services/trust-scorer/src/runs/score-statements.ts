import {
  keyField,
  locationField,
  nodeLabel,
  type ProjectKey,
  quoteName,
  seekNodes,
  systemRelationships,
  systemTypes,
  takeLock,
  trustRangeLabel,
  typeLabel,
} from "@ikg/physical";

/** A page of nodes in the order of the key index, without proxies of nodes in other databases. Parameters: `after`, `upTo`, `size`. */
export const readPageText = `${seekNodes}
WHERE n.${keyField} > $after AND n.${keyField} <= $upTo AND n.${locationField} IS NULL
RETURN n.${keyField} AS k, properties(n) AS p ORDER BY k LIMIT $size`;

/**
 * Writes the scores of a page and moves the cursor, if the range is still held and this page is the next one: one row
 * then, none otherwise. Scores are floats even where they are 0 or 1, which numbers of parameters are not. Nodes that are
 * gone by now get none. A score has no label of its project, by which patterns find nodes of whatever type: it is no
 * business node. Parameters: `range`, `fence`, `after`, `cursor`, `count`, `prefix`, `profile`, `run`, `now`, and
 * `rows` of `[key, gid of a new score, final, validity, verification, freshness, origin, completeness]` sorted by key.
 */
export const writePageText = (pk: ProjectKey): string => {
  const label = quoteName(typeLabel(systemTypes.trustScore, pk));
  return `MATCH (g:${trustRangeLabel} {key: $range})
${takeLock("g")}
WITH g WHERE g.fence = $fence AND g.cursor = $after
SET g.cursor = $cursor, g.scored = g.scored + $count
WITH g
CALL (g) {
  UNWIND $rows AS row
  MATCH (n:${nodeLabel} {${keyField}: row[0]}) WHERE n.id IS NOT NULL
  MERGE (t:${nodeLabel} {${keyField}: $prefix + n.id})
  ON CREATE SET t:${label}, t.id = row[1], t.type = '${systemTypes.trustScore}', t.external_id = n.id,
    t.is_identity = false, t.create_time = $now
  SET t._final_score = toFloat(row[2]), t._validity = toFloat(row[3]), t._verification = toFloat(row[4]),
    t._freshness = toFloat(row[5]), t._origin = toFloat(row[6]), t._completeness = toFloat(row[7]),
    t.profile_id = $profile, t.run_id = $run, t.update_time = $now
  MERGE (n)-[:${quoteName(systemRelationships.trustScore)}]->(t)
  RETURN count(*) AS written
}
RETURN g.scored AS scored, written`;
};

const removal = 10_000;

/** Removes scores whose node is gone, some at a time. Returns how many. */
export const removeOrphansText = (pk: ProjectKey): string =>
  `MATCH (t:${quoteName(typeLabel(systemTypes.trustScore, pk))})
WHERE NOT EXISTS { (t)<-[:${quoteName(systemRelationships.trustScore)}]-() }
WITH t LIMIT ${removal} DETACH DELETE t RETURN count(*) AS removed`;

/** Removes scores that runs of a profile wrote, some at a time. Parameter: `profile`. Returns how many. */
export const removeScoresText = (pk: ProjectKey): string =>
  `MATCH (t:${quoteName(typeLabel(systemTypes.trustScore, pk))} {profile_id: $profile})
WITH t LIMIT ${removal} DETACH DELETE t RETURN count(*) AS removed`;

/** True when a batch of a removal was not the last one. */
export const isFull = (removed: number): boolean => removed >= removal;

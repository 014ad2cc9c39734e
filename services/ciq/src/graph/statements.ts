import type { NeighboursQuery } from "@ikg/contracts";
import {
  keyField,
  locationField,
  nodeLabel,
  type ProjectKey,
  projectLabel,
  quoteName,
  relationshipFields,
  seekNodes,
  systemRelationships,
  systemTypes,
  typeLabel,
} from "@ikg/physical";

const ofProject = (pk: ProjectKey): string => quoteName(projectLabel(pk));

/** What a summary shows of a node, as a map. */
const summary = (node: string): string =>
  `${node} {.type, .external_id, .id, .is_identity, .create_time, .update_time, .${locationField}}`;

/** A page of nodes between two keys, in the order of the keys. Parameters: `from`, `before`, `size`. */
export const nodesText = (pk: ProjectKey): string => `${seekNodes}
WHERE n.${keyField} >= $from AND n.${keyField} < $before AND n:${ofProject(pk)}
WITH n ORDER BY n.${keyField} LIMIT $size
RETURN n.${keyField} AS k, labels(n) AS l, ${summary("n")} AS h`;

/** Where a node is; no row for one that is not there. Parameter: `key`. */
export const placeText = (pk: ProjectKey): string => `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
RETURN n.${locationField} AS location`;

/** Everything of a node, with its trust score. Parameter: `key`. */
export const nodeText = (pk: ProjectKey): string => `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
OPTIONAL MATCH (n)-[:${quoteName(systemRelationships.trustScore)}]->(s:${quoteName(typeLabel(systemTypes.trustScore, pk))})
RETURN labels(n) AS l, properties(n) AS p, properties(s) AS s LIMIT 1`;

export type Direction = NeighboursQuery["direction"];

/** The pattern of a relationship `r`, and whether it leaves `n` (0) or ends there (1). */
const arrows: Readonly<Record<Direction, readonly [left: string, right: string, direction: string]>> = {
  out: ["-", "->", "0"],
  in: ["<-", "-", "1"],
  both: ["-", "-", "CASE WHEN startNode(r) = n THEN 0 ELSE 1 END"],
};

/**
 * A page of relationships of a node with their other ends, those of the platform left out. The columns by which they are ordered are
 * ASCII, so that their order is the same in the database and compared with a parameter. Parameters: `key`, `size`, `types` or null, and
 * the one after which the page begins: its type `t`, direction `d`, the gid `i` of its other end, and its own id `e` in the database.
 */
export const neighboursText = (pk: ProjectKey, direction: Direction): string => {
  const [left, right, points] = arrows[direction];
  return `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
MATCH (n)${left}[r]${right}(m:${ofProject(pk)})
WHERE NOT type(r) STARTS WITH '_' AND NOT m.type STARTS WITH '_' AND ($types IS NULL OR type(r) IN $types)
WITH r, m, type(r) AS t, ${points} AS d, coalesce(m.id, '') AS i, elementId(r) AS e
WHERE t > $t OR (t = $t AND (d > $d OR (d = $d AND (i > $i OR (i = $i AND e > $e)))))
WITH r, m, t, d, i, e ORDER BY t, d, i, e LIMIT $size
RETURN t, d, i, e, properties(r) AS p, r.${relationshipFields.createTime} AS created, r.${relationshipFields.updateTime} AS updated,
  labels(m) AS l, ${summary("m")} AS h`;
};

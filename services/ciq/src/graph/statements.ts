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

/** The fields of a summary of a node, as a map. */
const summary = (node: string): string =>
  `${node} {.type, .external_id, .id, .is_identity, .create_time, .update_time, .${locationField}}`;

/** A page of nodes between two keys, in the order of the keys. Parameters: `from`, `before`, `size`. */
export const nodesText = (pk: ProjectKey): string => `${seekNodes}
WHERE n.${keyField} >= $from AND n.${keyField} < $before AND n:${ofProject(pk)}
WITH n ORDER BY n.${keyField} LIMIT $size
RETURN n.${keyField} AS key, labels(n) AS labels, ${summary("n")} AS summary`;

/** The location of a node; no row for one that does not exist. Parameter: `key`. */
export const locationText = (pk: ProjectKey): string => `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
RETURN n.${locationField} AS location`;

/** Everything of a node, with its trust score. Parameter: `key`. */
export const nodeText = (pk: ProjectKey): string => `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
OPTIONAL MATCH (n)-[:${quoteName(systemRelationships.trustScore)}]->(s:${quoteName(typeLabel(systemTypes.trustScore, pk))})
RETURN labels(n) AS labels, properties(n) AS properties, properties(s) AS trustScore LIMIT 1`;

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
 * the relationship after which the page begins: `type`, `direction`, `neighbourId` (the gid of its other end), and `elementId`.
 */
export const neighboursText = (pk: ProjectKey, direction: Direction): string => {
  const [left, right, points] = arrows[direction];
  return `MATCH (n:${nodeLabel} {${keyField}: $key})
WHERE n:${ofProject(pk)}
MATCH (n)${left}[r]${right}(m:${ofProject(pk)})
WHERE NOT type(r) STARTS WITH '_' AND NOT m.type STARTS WITH '_' AND ($types IS NULL OR type(r) IN $types)
WITH r, m, type(r) AS type, ${points} AS direction, coalesce(m.id, '') AS neighbourId, elementId(r) AS elementId
WHERE type > $type OR (type = $type AND (direction > $direction OR (direction = $direction
  AND (neighbourId > $neighbourId OR (neighbourId = $neighbourId AND elementId > $elementId)))))
WITH r, m, type, direction, neighbourId, elementId ORDER BY type, direction, neighbourId, elementId LIMIT $size
RETURN type, direction, neighbourId, elementId, properties(r) AS properties, r.${relationshipFields.createTime} AS created, r.${relationshipFields.updateTime} AS updated,
  labels(m) AS labels, ${summary("m")} AS summary`;
};

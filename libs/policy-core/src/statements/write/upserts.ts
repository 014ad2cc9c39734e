import {
  keyField,
  nodeLabel,
  projectLabel,
  quoteName,
  relationshipFields,
  typeLabel,
  type ProjectKey,
} from "@ikg/physical";
import type { NodeUpsert, RelationshipUpsert } from "../../query/read-upserts.ts";

const { createTime, updateTime, discriminator } = relationshipFields;

/** One relationship `r` by its element id `e`, both ends in the project. */
export const relationshipById = (pk: ProjectKey): string => {
  const end = `(:${quoteName(projectLabel(pk))})`;
  return `MATCH ${end}-[r]->${end} WHERE elementId(r) = e`;
};

/**
 * Step 2 for one entry (policies specification 9.5, 9.6), as capture stores nodes.
 *
 * Takes `now` and `fields` (physical keys; null removes). For an alias of the pattern also `keys`, distinct and
 * sorted; for a new node `k` (key), `id` (its gid should it be created) and `x` (external id). One row: `written`.
 */
export const nodeUpsertText = (entry: NodeUpsert, pk: ProjectKey): string => {
  if (entry.kind === "existing") {
    return [
      "UNWIND $keys AS k",
      `MATCH (n:${nodeLabel} {${keyField}: k})`,
      "SET n += $fields, n.update_time = $now",
      "RETURN count(n) AS written",
    ].join("\n");
  }
  const labels = (names: readonly string[]): string => names.map((name) => `:${quoteName(name)}`).join("");
  const own = labels([projectLabel(pk), typeLabel(entry.type, pk)]);
  const extra = labels(entry.labels.map((label) => typeLabel(label, pk)));
  return [
    `MERGE (n:${nodeLabel} {${keyField}: $k})`,
    `ON CREATE SET n${own}, n.id = $id, n.type = $type, n.external_id = $x,`,
    "  n.is_identity = false, n.create_time = $now",
    `SET n += $fields, n.update_time = $now${extra === "" ? "" : `, n${extra}`}`,
    "RETURN count(n) AS written",
  ].join("\n");
};

/**
 * Step 3 for one entry. Takes `now` and `fields`. For a new relationship `rows` of `{i, a, b}` (number, keys of the
 * ends), distinct and sorted by `a`, `b`, and `d` (discriminator); a row for each that is there afterwards: `i` and
 * its element id `e`. For an alias of the pattern `ids` and `discriminators` (what each written value would make
 * the discriminator); one row: `written`, and `moved`, how many would no longer be told apart as before.
 */
export const relationshipUpsertText = (entry: RelationshipUpsert, pk: ProjectKey): string =>
  entry.kind === "existing"
    ? [
        "UNWIND $ids AS e",
        relationshipById(pk),
        `WITH r, coalesce(r.${discriminator} <> $discriminators[r.discriminating_property], false) AS moved`,
        `SET r += $fields, r.${updateTime} = $now`,
        "RETURN count(r) AS written, sum(CASE WHEN moved THEN 1 ELSE 0 END) AS moved",
      ].join("\n")
    : [
        "UNWIND $rows AS row",
        `MATCH (a:${nodeLabel} {${keyField}: row.a})`,
        `MATCH (b:${nodeLabel} {${keyField}: row.b})`,
        `MERGE (a)-[r:${quoteName(entry.type)} {${discriminator}: $d}]->(b)`,
        `ON CREATE SET r.${createTime} = $now`,
        `SET r += $fields, r.${updateTime} = $now`,
        "RETURN row.i AS i, elementId(r) AS e",
      ].join("\n");

/**
 * Locks nodes in the order of their keys until the transaction ends: removing a property that is not there changes
 * nothing and takes the lock all the same. Takes `keys`, sorted.
 */
export const lockNodesText = [
  "UNWIND $keys AS k",
  `MATCH (n:${nodeLabel} {${keyField}: k})`,
  "REMOVE n._lock",
].join("\n");

import {
  discriminatingProperty,
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

type New<T> = Extract<T, { readonly kind: "new" }>;

/** How a statement names a parameter of an entry: one of its own, or one of several entries. */
export type NameValue = (name: string) => string;

/** Merges a new node `n`. Takes `k` (key), `id` (its gid should it be created), `type`, `x` (external id), `fields`. */
export const setNewNode = (entry: New<NodeUpsert>, pk: ProjectKey, value: NameValue): readonly string[] => {
  const labels = (names: readonly string[]): string => names.map((name) => `:${quoteName(name)}`).join("");
  const own = labels([projectLabel(pk), typeLabel(entry.type, pk)]);
  const extra = labels(entry.labels.map((label) => typeLabel(label, pk)));
  return [
    `MERGE (n:${nodeLabel} {${keyField}: ${value("k")}})`,
    `ON CREATE SET n${own}, n.id = ${value("id")}, n.type = ${value("type")}, n.external_id = ${value("x")},`,
    "  n.is_identity = false, n.create_time = $now",
    `SET n += ${value("fields")}, n.update_time = $now${extra === "" ? "" : `, n${extra}`}`,
  ];
};

/** Writes to a node `n` of the pattern. Takes `fields`. */
export const setExistingNode = (value: NameValue): string =>
  `SET n += ${value("fields")}, n.update_time = $now`;

/** Merges a new relationship `r` from `a` to `b`. Takes `d` (discriminator) and `fields`. */
export const setNewRelationship = (
  { type }: New<RelationshipUpsert>,
  value: NameValue,
): readonly string[] => [
  `MERGE (a)-[r:${quoteName(type)} {${discriminator}: ${value("d")}}]->(b)`,
  `ON CREATE SET r.${createTime} = $now`,
  setExistingRelationship(value),
];

/** Writes to a relationship `r` of the pattern. Takes `fields`. */
export const setExistingRelationship = (value: NameValue): string =>
  `SET r += ${value("fields")}, r.${updateTime} = $now`;

/** True when writing the fields would change the discriminator of a relationship `r` of the pattern. Takes `discriminators`. */
export const isMoved = (r: string, value: NameValue): string =>
  `coalesce(${r}.${discriminator} <> ${value("discriminators")}[${r}.${discriminatingProperty}], false)`;

const own: NameValue = (name) => `$${name}`;

/**
 * Step 2 for one entry, as capture stores nodes.
 *
 * Takes `now` and `fields` (physical keys; null removes). For an alias of the pattern also `keys`, distinct and
 * sorted; for a new node `k` (key), `id` (its gid should it be created) and `x` (external id). One row: `written`.
 */
export const nodeUpsertText = (entry: NodeUpsert, pk: ProjectKey): string =>
  [
    ...(entry.kind === "new"
      ? setNewNode(entry, pk, own)
      : ["UNWIND $keys AS k", `MATCH (n:${nodeLabel} {${keyField}: k})`, setExistingNode(own)]),
    "RETURN count(n) AS written",
  ].join("\n");

/**
 * Step 3 for one entry. Takes `now` and `fields`. For a new relationship `rows` of `{i, a, b}` (number, keys of the
 * ends), distinct and sorted by `a`, `b`, and `d` (discriminator); a row for each that is there afterwards: `i` and
 * its element id `e`. For an alias of the pattern `ids` and `discriminators` (what each written value would make
 * the discriminator); one row: `written`, and `moved`, how many would get another discriminator.
 */
export const relationshipUpsertText = (entry: RelationshipUpsert, pk: ProjectKey): string =>
  (entry.kind === "existing"
    ? [
        "UNWIND $ids AS e",
        relationshipById(pk),
        `WITH r, ${isMoved("r", own)} AS moved`,
        setExistingRelationship(own),
        "RETURN count(r) AS written, sum(CASE WHEN moved THEN 1 ELSE 0 END) AS moved",
      ]
    : [
        "UNWIND $rows AS row",
        `MATCH (a:${nodeLabel} {${keyField}: row.a})`,
        `MATCH (b:${nodeLabel} {${keyField}: row.b})`,
        ...setNewRelationship(entry, own),
        "RETURN row.i AS i, elementId(r) AS e",
      ]
  ).join("\n");

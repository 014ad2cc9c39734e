import { type Gid, newGid, type Property, type UpsertNode } from "@ikg/contracts";
import {
  externalValueField,
  metadataField,
  nodeKey,
  type ProjectKey,
  propertyField,
  propertyTimeField,
} from "@ikg/physical";

/** What one node of a batch becomes: all items of the batch that name it, in request order. */
export interface NodeRow {
  readonly key: string;
  readonly type: string;
  readonly externalId: string;
  /** The gid it gets if it is new. */
  readonly id: Gid;
  /** Physical keys to set; null removes. */
  readonly fields: Record<string, unknown>;
  /** Extra labels that replace the former ones; undefined leaves them. */
  labels: readonly string[] | undefined;
}

export interface NodeBatch {
  /** Sorted by key, so that parallel batches lock in the same order. */
  readonly rows: readonly NodeRow[];
  /** The row of each item of the request. */
  readonly rowOfItem: readonly NodeRow[];
}

/** The physical keys that one property of a request sets. */
const setProperty = (fields: Record<string, unknown>, property: Property, now: string): void => {
  const { type, value, external_value: externalValue, metadata } = property;
  // Each of the two replaces the other.
  fields[propertyField(type)] = value ?? null;
  fields[externalValueField(type)] = externalValue ?? null;
  fields[propertyTimeField(type)] = now;
  if (metadata === undefined) return;
  const set = (key: string, each: unknown): void => {
    if (each !== undefined) fields[metadataField(type, key)] = each;
  };
  set("verified_time", metadata.verified_time);
  set("source", metadata.source);
  set("assurance_level", metadata.assurance_level);
  metadata.custom_metadata?.forEach((each, key) => set(key, each));
};

export const byKey = <T extends { readonly key: string }>(a: T, b: T): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;

/**
 * Folds the items of a request into one row per node: what later items set wins over what earlier ones set.
 *
 * @param now RFC 3339 time of the request in UTC.
 */
export const nodeBatch = (nodes: readonly UpsertNode[], pk: ProjectKey, now: string): NodeBatch => {
  const rows = new Map<string, NodeRow>();
  const rowOfItem = nodes.map((node) => {
    const key = nodeKey(pk, node.type, node.external_id);
    let row = rows.get(key);
    if (row === undefined) {
      const { type, external_id: externalId } = node;
      row = { key, type, externalId, id: newGid("node"), fields: {}, labels: undefined };
      rows.set(key, row);
    }
    if (node.is_identity !== undefined) row.fields["is_identity"] = node.is_identity;
    if (node.labels !== undefined) row.labels = node.labels;
    for (const property of node.properties ?? []) setProperty(row.fields, property, now);
    return row;
  });
  return { rows: [...rows.values()].sort(byKey), rowOfItem };
};

import type { Gid } from "@ikg/contracts";
import { lookUpProperties, type RecordLabelKind, recordProperties } from "@ikg/physical";

/** Values by name; JSON. */
export type Data = Readonly<Record<string, unknown>>;

/** A configuration record as it is stored. What is not set is absent. */
export interface StoredRecord {
  readonly id: Gid;
  readonly kind: RecordLabelKind;
  readonly organizationId: Gid;
  readonly projectId: Gid | undefined;
  readonly parentId: Gid | undefined;
  readonly name: string | undefined;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  /** Grows by one with every update, from 1. */
  readonly version: number;
  readonly etag: string;
  readonly createTime: string;
  readonly updateTime: string;
  readonly createdBy: string;
  readonly updatedBy: string;
  /** Fields of the collection itself. */
  readonly data: Data;
  /** Text of a policy or query; absent in lists that did not ask for it. */
  readonly text: string | undefined;
  /** Fields with a property of their own besides `data`: names of `lookUpProperties`. */
  readonly columns: Data;
  /** As they were when it was written; absent in a record that is not stored yet, or by an older release. */
  readonly bytes?: number | undefined;
}

/** Bytes of stored texts that count against the limit of a project. */
export const byteSizeOf = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Bytes of a record that count against the limit of its project. */
export const bytesOf = ({ data, text = "", description = "" }: StoredRecord): number =>
  byteSizeOf(JSON.stringify(data), text, description);

/** Properties that a read takes besides the common ones. The hash of a credential's token stays where it is. */
const columns = Object.values(lookUpProperties).filter(
  (name) => name !== lookUpProperties.tokenHash && name !== lookUpProperties.text,
);

/** What a read takes, in this order; the text comes last. */
const read: readonly string[] = [...recordProperties, ...columns, lookUpProperties.text];

/**
 * Every property that a read needs of the record bound to `name`, as a list, so that no name is sent with each. The text
 * of policies and queries is null unless `text` says so: large texts lie in chains of blocks that are walked when read.
 */
export const projection = (name: string, text: boolean): string =>
  `[${read.map((key) => (key === lookUpProperties.text && !text ? "null" : `${name}.${key}`)).join(", ")}]`;

/** The properties that have a value. */
export const withoutNulls = (properties: Data): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== undefined));

/** Reads a record from its projection. Only this service writes records, so the shape is trusted. */
export const recordOf = (value: unknown): StoredRecord => {
  const values = value as readonly unknown[]; // the projection above is a list
  const all: Record<string, unknown> = {};
  read.forEach((key, index) => {
    const each = values[index];
    if (each !== null && each !== undefined) all[key] = each;
  });
  const string = (key: string): string | undefined => all[key] as string | undefined; // written as text or not at all
  const required = (key: string): string => {
    const text = string(key);
    if (text === undefined) throw new Error(`record without ${key}`);
    return text;
  };
  return {
    id: required("id") as Gid,
    kind: required("kind") as RecordLabelKind,
    organizationId: required("organization_id") as Gid,
    projectId: string("project_id") as Gid | undefined,
    parentId: string("parent_id") as Gid | undefined,
    name: string("name"),
    displayName: string("display_name"),
    description: string("description"),
    version: all["version"] as number,
    etag: required("etag"),
    createTime: required("create_time"),
    updateTime: required("update_time"),
    createdBy: required("created_by"),
    updatedBy: required("updated_by"),
    data: JSON.parse(required("data")) as Data,
    text: string(lookUpProperties.text),
    columns: Object.fromEntries(columns.flatMap((key) => (key in all ? [[key, all[key]]] : []))),
    bytes: all["content_bytes"] as number | undefined, // written as a number or not at all
  };
};

/** What a record's node is to hold, whether it has a value or not. */
const allProperties = (record: StoredRecord): Record<string, unknown> => ({
  id: record.id,
  kind: record.kind,
  organization_id: record.organizationId,
  project_id: record.projectId,
  parent_id: record.parentId,
  name: record.name,
  display_name: record.displayName,
  description: record.description,
  version: record.version,
  etag: record.etag,
  create_time: record.createTime,
  update_time: record.updateTime,
  created_by: record.createdBy,
  updated_by: record.updatedBy,
  data: JSON.stringify(record.data),
  content_bytes: bytesOf(record),
  [lookUpProperties.text]: record.text,
  ...record.columns,
});

/** The properties of a record's node, as a statement parameter. */
export const propertiesOf = (record: StoredRecord): Record<string, unknown> =>
  withoutNulls(allProperties(record));

/** The same for a node that has other values: what is not set is removed. */
export const changesOf = (record: StoredRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(allProperties(record)).map(([key, value]) => [key, value ?? null]));

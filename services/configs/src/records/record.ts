import type { Gid } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { lookUpProperties, type RecordKind, recordProperties } from "@ikg/physical";

/** Fields of one collection by name; JSON values. */
export type Fields = Readonly<Record<string, unknown>>;

/** A configuration record as it is stored. What is not set is absent. */
export interface StoredRecord {
  readonly id: Gid;
  readonly kind: RecordKind;
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
  readonly data: Fields;
  /** Text of a policy or query; absent in lists that did not ask for it. */
  readonly text: string | undefined;
  /** What has a property of its own beside `data`: names of `lookUpProperties`. */
  readonly columns: Fields;
}

/** Properties that a read takes besides the common ones. The hash of a credential's token stays where it is. */
const columns = Object.values(lookUpProperties).filter(
  (name) => name !== lookUpProperties.tokenHash && name !== lookUpProperties.text,
);

/**
 * A map projection of the record bound to `name`: every property that a read needs, without the text of
 * policies and queries unless `text` says so. Large texts lie in chains of blocks that are walked when read.
 */
export const projection = (name: string, text: boolean): string =>
  `${name} { ${[...recordProperties, ...columns, ...(text ? [lookUpProperties.text] : [])].map((key) => `.${key}`).join(", ")} }`;

const known = (row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));

/** Reads a record from its projection. Only this service writes records, so the shape is trusted. */
export const recordOf = (value: unknown): StoredRecord => {
  const all = known(value as Row); // the projection above is a map
  const string = (key: string): string | undefined => all[key] as string | undefined; // written as text or not at all
  const required = (key: string): string => {
    const text = string(key);
    if (text === undefined) throw new Error(`record without ${key}`);
    return text;
  };
  return {
    id: required("id") as Gid,
    kind: required("kind") as RecordKind,
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
    data: JSON.parse(required("data")) as Fields,
    text: string(lookUpProperties.text),
    columns: Object.fromEntries(columns.flatMap((key) => (key in all ? [[key, all[key]]] : []))),
  };
};

/** The properties of a record's node, as a statement parameter. */
export const propertiesOf = (record: StoredRecord): Record<string, unknown> =>
  known({
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
    [lookUpProperties.text]: record.text,
    ...record.columns,
  });

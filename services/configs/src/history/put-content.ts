import { isDeepStrictEqual } from "node:util";
import { clearedFields, type Gid, type RecordDescription } from "@ikg/contracts";
import type { KeyRing } from "@ikg/secrets";
import type { Collection } from "../records/collection.ts";
import { bodyOf } from "../records/content.ts";
import type { Data, StoredRecord } from "../records/record.ts";

/** The name of a record that another one names; undefined where it is not known. */
export type NameOf = (id: Gid) => string | undefined;

/** A record as a `put` takes it, and the fields that are secrets and left out. */
export interface PutContent {
  readonly content: Data;
  readonly secrets: readonly string[];
}

/**
 * What a record is, without its own name and its project. Records that it names stand by their names, for ids are those of
 * one project: `policy_id` becomes `policy`.
 */
export const putContent = (
  collection: Collection,
  keys: KeyRing,
  record: StoredRecord,
  nameOf: NameOf,
): PutContent => {
  const { parent, fields } = collection;
  const body: Data = bodyOf(collection, keys, record);
  const content: Record<string, unknown> = {};
  const secrets: string[] = [];
  for (const [field, { reference, sealed, default: standard }] of Object.entries(fields)) {
    const value = body[field];
    const isProject = field === parent.field && (parent.kind === "project" || parent.kind === "organization");
    if (value === undefined || field === "name" || isProject || isDeepStrictEqual(value, standard)) continue;
    if (sealed === true) secrets.push(field);
    else if (reference === undefined && field !== parent.field) content[field] = value;
    else {
      const name = nameOf(value as Gid); // a gid of its kind
      if (name === undefined) content[field] = value;
      else content[field.replace(/_id$/, "")] = name;
    }
  }
  return { content, secrets };
};

/** The content as an update that also clears every field which the content does not have. */
export const clearingAbsent = (collection: Pick<RecordDescription, "fields">, content: Data): Data => ({
  ...clearedFields(collection),
  ...content,
});

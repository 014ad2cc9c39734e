import { isDeepStrictEqual } from "node:util";
import { clearedFields, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import type { Fields, FolderCollection } from "./project-files.ts";

/** The description of the records of a collection. */
export const descriptionOf = (collection: FolderCollection): RecordDescription => {
  const description = recordDescriptions.find(({ path }) => path === `/${collection}`);
  if (description === undefined) throw new Error(`no collection ${collection}`);
  return description;
};

/** The fields of a record without those that are unset, or have their default or the value by which an update clears them. */
export const statedFields = (collection: FolderCollection, fields: Fields): Fields => {
  const description = descriptionOf(collection);
  const cleared = clearedFields(description);
  const isSet = (name: string, value: unknown): boolean =>
    value !== undefined &&
    value !== null &&
    value !== "" &&
    !isDeepStrictEqual(value, cleared[name]) &&
    // Those that no update changes have a default that is not among the cleared ones.
    !isDeepStrictEqual(value, description.fields[name]?.default);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isSet(name, value)));
};

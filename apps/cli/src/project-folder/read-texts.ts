import { readdir } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import type { ChangeableCollection } from "@ikg/contracts";
import { isJsonObject } from "@ikg/contracts/values";
import type { Source } from "@ikg/sources";
import { fileExists } from "../input/file-exists.ts";
import { isRecordFile } from "../records/file-names.ts";
import type { CommandEnvironment } from "../command-environment.ts";
import { valueOfText } from "./language-value.ts";
import { type Fields, folders } from "./project-files.ts";
import type { RecordFiles } from "./record-files.ts";
import { statedFields } from "./stated-fields.ts";
import type { WrittenRecord } from "./written-record.ts";

/** A record in a file. */
export interface TextRecord {
  readonly name: string;
  readonly fields: Fields;
  readonly written: WrittenRecord;
}

/**
 * Reads the policy or query of a file. The name defaults to that of the file, and the status to ACTIVE. A file may also contain a
 * bare policy, with `meta`.
 */
export const textRecordOf = (
  source: Source,
  collection: ChangeableCollection,
  { faults }: RecordFiles,
): TextRecord | undefined => {
  const { file, value } = source;
  const { text } = folders[collection];
  if (!isJsonObject(value)) {
    faults.add(source.placeOf([]), "an object with the fields of a record expected");
    return undefined;
  }
  const isBare = text === "policy" && value["meta"] !== undefined;
  const record: Fields = isBare ? { policy: value } : value;
  const { name = basename(file, extname(file)), status = "ACTIVE", ...fields } = record;
  if (fields[text] === undefined) {
    faults.add(source.placeOf([]), `${text}: required`);
    return undefined;
  }
  return {
    name: String(name),
    fields: statedFields(collection, { ...fields, status, [text]: valueOfText(fields[text]) }),
    written: { collection, source, whole: [], record: [], text: isBare ? [] : [text] },
  };
};

/** The policies or queries of a folder by name; empty if the folder does not exist. */
export const readTexts = async (
  folder: string,
  collection: ChangeableCollection,
  files: RecordFiles,
  { cwd }: CommandEnvironment,
): Promise<ReadonlyMap<string, TextRecord>> => {
  const path = resolve(cwd, folder);
  const names = (await fileExists(path)) ? (await readdir(path)).filter(isRecordFile).toSorted() : [];
  const records = new Map<string, TextRecord>();
  for (const file of names) {
    const source = await files.open(join(folder, file));
    if (source === undefined) continue;
    const record = textRecordOf(source, collection, files);
    if (record === undefined) continue;
    const { name } = record;
    if (records.has(name))
      files.faults.add(source.placeOf(["name"]), `duplicate: ${name} is also defined in another file`);
    records.set(name, record);
  }
  return records;
};

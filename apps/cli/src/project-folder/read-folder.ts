import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import type { ChangeableCollection } from "@ikg/contracts";
import { isRecordFile } from "../records/file-names.ts";
import { isObject, readValue } from "../records/read-record.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import { valueOfText } from "./language-value.ts";
import {
  type Fields,
  folders,
  type Named,
  ofEach,
  otherCollections,
  projectFile,
  type ProjectFiles,
  stated,
} from "./project-files.ts";

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** A policy by itself (with `meta`) is one that is ACTIVE. */
const recordOf = (file: string, value: unknown, text: "policy" | "query"): Fields => {
  if (!isObject(value)) throw new CommandFault(`${file}: an object with the fields of a record expected`);
  const record = text === "policy" && value["meta"] !== undefined ? { policy: value } : value;
  if (record[text] === undefined) throw new CommandFault(`${file}: ${text}: required`);
  return { ...record, status: record["status"] ?? "ACTIVE", [text]: valueOfText(record[text]) };
};

const readTexts = async (
  root: string,
  collection: ChangeableCollection,
  around: Surroundings,
): Promise<Named> => {
  const { folder, text } = folders[collection];
  const path = resolve(around.cwd, root, folder);
  const names = (await isThere(path)) ? (await readdir(path)).filter(isRecordFile).toSorted() : [];
  const records = new Map<string, Fields>();
  for (const file of names) {
    const shown = join(root, folder, file);
    const { name = basename(file, extname(file)), ...fields } = recordOf(
      shown,
      await readValue(shown, around),
      text,
    );
    if (records.has(String(name))) throw new CommandFault(`${shown}: ${String(name)} has another file`);
    records.set(String(name), stated(fields));
  }
  return records;
};

const readOthers = async (root: string, around: Surroundings): Promise<ProjectFiles["others"]> => {
  const file = join(root, projectFile);
  const value = (await isThere(resolve(around.cwd, file))) ? await readValue(file, around) : {};
  const collections: Fields = value === null ? {} : (value as Fields); // judged next
  if (!isObject(collections)) throw new CommandFault(`${file}: an object of collections expected`);
  const known: readonly string[] = otherCollections;
  for (const name of Object.keys(collections))
    if (!known.includes(name))
      throw new CommandFault(`${file}: ${name}: one of ${known.join(", ")} expected`);
  return ofEach((collection) => {
    const records = collections[collection] ?? {};
    if (!isObject(records)) throw new CommandFault(`${file}: ${collection}: records by their names expected`);
    return new Map(
      Object.entries(records).map(([name, fields]) => {
        if (!isObject(fields)) throw new CommandFault(`${file}: ${collection}.${name}: an object expected`);
        return [name, stated(fields)] as const;
      }),
    );
  });
};

/** What the files of a folder say. @throws CommandFault that names the file */
export const readFolder = async (root: string, around: Surroundings): Promise<ProjectFiles> => {
  if (!(await isThere(resolve(around.cwd, root)))) throw new CommandFault(`${root} is not there`);
  return {
    texts: {
      "authorization-policies": await readTexts(root, "authorization-policies", around),
      "knowledge-queries": await readTexts(root, "knowledge-queries", around),
    },
    others: await readOthers(root, around),
  };
};

import { join, resolve } from "node:path";
import { isJsonObject } from "@ikg/contracts/values";
import type { Source } from "@ikg/sources";
import { fileExists } from "../input/file-exists.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import {
  type Fields,
  folders,
  type Named,
  ofEach,
  otherCollections,
  projectFile,
  type ProjectFiles,
} from "./project-files.ts";
import { readTexts, type TextRecord } from "./read-texts.ts";
import { RecordFiles } from "./record-files.ts";
import { statedFields } from "./stated-fields.ts";
import type { WrittenRecord, WrittenRecords } from "./written-record.ts";

/** The object at a path of a file; any other value is reported and replaced by an empty object. */
const objectAt = (
  source: Source,
  path: readonly string[],
  { value, expected }: { readonly value: unknown; readonly expected: string },
  { faults }: RecordFiles,
): Fields => {
  if (isJsonObject(value)) return value;
  faults.add(source.placeOf(path), `${path.length === 0 ? "" : `${path.join(".")}: `}${expected} expected`);
  return {};
};

const othersOf = (source: Source, files: RecordFiles): ProjectFiles["others"] => {
  const whole = { value: source.value ?? {}, expected: "an object of collections" };
  const collections = objectAt(source, [], whole, files);
  const known: readonly string[] = otherCollections;
  for (const name of Object.keys(collections))
    if (!known.includes(name))
      files.faults.add(source.placeOfKey([], name), `${name}: one of ${known.join(", ")} expected`);
  return ofEach((collection) => {
    const all = { value: collections[collection] ?? {}, expected: "records by their names" };
    const records = Object.entries(objectAt(source, [collection], all, files));
    return new Map(
      records.map(([name, value]) => {
        const fields = objectAt(source, [collection, name], { value, expected: "an object" }, files);
        return [name, statedFields(collection, fields)] as const;
      }),
    );
  });
};

/** The contents of a folder, with positions in files. */
export interface FolderFiles extends ProjectFiles {
  readonly written: WrittenRecords;
}

const fieldsOf = (records: ReadonlyMap<string, TextRecord>): Named =>
  new Map([...records].map(([name, { fields }]) => [name, fields]));

const placesOf = (records: ReadonlyMap<string, TextRecord>): ReadonlyMap<string, WrittenRecord> =>
  new Map([...records].map(([name, { written }]) => [name, written]));

/** @throws CommandFault with all errors and their positions */
export const readFolder = async (root: string, environment: CommandEnvironment): Promise<FolderFiles> => {
  const { cwd } = environment;
  if (!(await fileExists(resolve(cwd, root)))) throw new CommandFault(`${root} does not exist`);
  const files = new RecordFiles(environment);
  const textsOf = (collection: keyof typeof folders) =>
    readTexts(join(root, folders[collection].folder), collection, files, environment);
  const policies = await textsOf("authorization-policies");
  const queries = await textsOf("knowledge-queries");
  const project = join(root, projectFile);
  const source = (await fileExists(resolve(cwd, project))) ? await files.open(project) : undefined;
  const others = source === undefined ? ofEach(() => new Map()) : othersOf(source, files);
  await files.assertNoFaults();
  return {
    texts: { "authorization-policies": fieldsOf(policies), "knowledge-queries": fieldsOf(queries) },
    others,
    written: { "authorization-policies": placesOf(policies), "knowledge-queries": placesOf(queries) },
  };
};

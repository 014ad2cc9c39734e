import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Source } from "../policy-tests/file/source.ts";
import { isObject } from "../is-object.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import {
  type Fields,
  folders,
  ofEach,
  otherCollections,
  projectFile,
  type ProjectFiles,
  stated,
} from "./project-files.ts";
import { readTexts } from "./read-texts.ts";
import { RecordFiles } from "./record-files.ts";

/** The object at a path of a file; an empty one, with a fault, where something else stands there. */
const objectAt = (
  source: Source,
  path: readonly string[],
  { value, expected }: { readonly value: unknown; readonly expected: string },
  { faults }: RecordFiles,
): Fields => {
  if (isObject(value)) return value;
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
        return [name, stated(fields)] as const;
      }),
    );
  });
};

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** What the files of a folder say. @throws CommandFault with every fault and its place */
export const readFolder = async (root: string, around: Surroundings): Promise<ProjectFiles> => {
  const { cwd } = around;
  if (!(await isThere(resolve(cwd, root)))) throw new CommandFault(`${root} is not there`);
  const files = new RecordFiles(around);
  const textsOf = (collection: keyof typeof folders) =>
    readTexts(join(root, folders[collection].folder), collection, files, around);
  const texts = {
    "authorization-policies": await textsOf("authorization-policies"),
    "knowledge-queries": await textsOf("knowledge-queries"),
  };
  const project = join(root, projectFile);
  const source = (await isThere(resolve(cwd, project))) ? await files.open(project) : undefined;
  const others = source === undefined ? ofEach(() => new Map()) : othersOf(source, files);
  await files.assertNoFaults();
  return { texts, others };
};

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecordFile } from "../records/file-names.ts";
import { folders, otherCollections, projectFile, type ProjectFiles } from "./project-files.ts";
import { yamlText } from "./yaml-text.ts";

/** The result of writing a file. */
export interface WrittenFile {
  readonly file: string;
  readonly done: "added" | "changed" | "removed";
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

const write = async (root: string, file: string, text: string): Promise<readonly WrittenFile[]> => {
  const path = join(root, file);
  const before = await textOf(path);
  if (before === text) return [];
  await writeFile(path, text);
  return [{ file, done: before === undefined ? "added" : "changed" }];
};

/** Files of records that no longer exist. */
const stale = async (root: string, folder: string, written: ReadonlySet<string>): Promise<string[]> =>
  (await readdir(join(root, folder)))
    .filter((name) => isRecordFile(name) && !written.has(name))
    .map((name) => join(folder, name))
    .toSorted();

/** Writes the project to a folder, and deletes files of records that no longer exist. */
export const writeFolder = async (
  root: string,
  { texts, others }: ProjectFiles,
): Promise<readonly WrittenFile[]> => {
  const done: WrittenFile[] = [];
  for (const [collection, { folder }] of Object.entries(folders)) {
    await mkdir(join(root, folder), { recursive: true });
    const written = new Set<string>();
    for (const [name, fields] of texts[collection as keyof typeof folders]) {
      written.add(`${name}.yaml`);
      done.push(...(await write(root, join(folder, `${name}.yaml`), await yamlText(fields))));
    }
    for (const file of await stale(root, folder, written)) {
      await rm(join(root, file));
      done.push({ file, done: "removed" });
    }
  }
  const present = otherCollections.filter((collection) => others[collection].size > 0);
  const records = Object.fromEntries(
    present.map((collection) => [collection, Object.fromEntries(others[collection])]),
  );
  return [...done, ...(await write(root, projectFile, await yamlText(records)))];
};

import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isTestFile } from "../records/file-names.ts";
import { CommandFault } from "../command-environment.ts";

const inFolder = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isTestFile(entry.name)) found.push(path);
    if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
      found.push(...(await inFolder(path)));
  }
  return found;
};

/**
 * Finds test files by name, and test files below folders.
 *
 * @returns absolute paths, each once.
 * @throws CommandFault if a path does not exist, or there is no test file.
 */
export const findTestFiles = async (cwd: string, paths: readonly string[]): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const path of paths) {
    const full = resolve(cwd, path);
    const about = await stat(full).catch(() => undefined);
    if (about === undefined) throw new CommandFault(`${path} does not exist`);
    for (const file of about.isDirectory() ? await inFolder(full) : [full]) found.add(file);
  }
  if (found.size === 0)
    throw new CommandFault(`no test files (NAME.ikg.yaml or NAME.ikg.json) in ${paths.join(", ")}`);
  return [...found];
};

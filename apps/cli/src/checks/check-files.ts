import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Fault, Faults, type Place } from "../policy-tests/file/fault.ts";
import { Files } from "../policy-tests/file/files.ts";
import { readConfig } from "../policy-tests/file/read-config.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import type { Source } from "../policy-tests/file/source.ts";
import { findTestFiles } from "../policy-tests/find-files.ts";
import { folders } from "../project-folder/project-files.ts";
import { isRecordFile, isTestFile } from "../records/file-names.ts";
import { CommandFault } from "../surroundings.ts";

/** What was looked at, and what is wrong with it. */
export interface Checked {
  readonly files: number;
  readonly faults: readonly Fault[];
}

/** What the command line names stands nowhere in a file. */
const commandLine = (): Source => {
  const place: Place = { file: "command line", line: 1, column: 1 };
  const placeOf = (): Place => place;
  return { file: place.file, value: {}, placeOf, placeOfKey: placeOf, placeInText: placeOf };
};

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Test files among the given paths and below them. */
const testFilesOf = async (paths: readonly string[], cwd: string): Promise<readonly string[]> => {
  const lists = paths.map(async (path) => {
    if (await isFolder(resolve(cwd, path))) return findTestFiles(cwd, [path]).catch(() => []);
    return isTestFile(path) ? [resolve(cwd, path)] : [];
  });
  return [...new Set((await Promise.all(lists)).flat())];
};

/** Files and folders of policies and queries: of a folder as `ikg pull` writes it, its folders of these names. */
const configOf = async (paths: readonly string[], cwd: string): Promise<readonly string[]> => {
  const lists = paths.map(async (path) => {
    const whole = resolve(cwd, path);
    if ((await stat(whole).catch(() => undefined)) === undefined)
      throw new CommandFault(`${path} is not there`);
    if (!(await isFolder(whole))) return isTestFile(path) ? [] : [whole];
    const inside = await Promise.all(
      Object.values(folders).map(async ({ folder }) =>
        (await isFolder(join(whole, folder))) ? [join(whole, folder)] : [],
      ),
    );
    return inside.flat().length > 0 ? inside.flat() : [whole];
  });
  return (await Promise.all(lists)).flat();
};

/**
 * Checks policies, queries and policy tests without a suite: their form, and what the policy language says of them. What
 * depends on the project, such as types that its graph has, a suite judges when they are stored.
 */
export const checkFiles = async (paths: readonly string[], cwd: string): Promise<Checked> => {
  const config = await configOf(paths, cwd);
  const tests = await testFilesOf(paths, cwd);
  const faults = new Faults();
  const files = new Files(cwd, faults);
  const named = { name: "files", tests: [], config: [...config] };
  await readConfig({ source: commandLine(), folder: cwd }, named, files, faults);
  const worlds = await Promise.all(tests.map((file) => readWorld(file, cwd)));
  for (const fault of worlds.flatMap((world) => world.faults)) faults.add(fault, fault.message);
  const looked = new Set([...files.dependencies.filter(isRecordFile), ...tests]);
  return { files: looked.size, faults: faults.list };
};

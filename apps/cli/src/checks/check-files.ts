import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { queryWarningsOf, type Warning, warningsOf } from "@ikg/policy-core/warnings";
import { type Fault, Faults, type Place, type Source } from "@ikg/sources";
import { Files } from "../policy-tests/file/files.ts";
import { type Config, readConfig } from "../policy-tests/file/read-config.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import type { PolicyDefinition, QueryDefinition } from "../policy-tests/file/world.ts";
import { findTestFiles } from "../policy-tests/find-files.ts";
import { folders } from "../project-folder/project-files.ts";
import { isRecordFile, isTestFile } from "../records/file-names.ts";
import { CommandFault } from "../surroundings.ts";
import { warningMessage, warningPlace } from "./warning.ts";

/** What was looked at, and what is wrong with it. */
export interface Checked {
  readonly files: number;
  readonly faults: readonly Fault[];
  /** What is accepted and may be a mistake. */
  readonly warnings: readonly Fault[];
}

/** Warnings of the language; those about names that the graph does not hold need a suite. */
const warningsIn = ({ policies, queries }: Pick<Config, "policies" | "queries">, warnings: Faults): void => {
  const add = ({ placeOfFault }: PolicyDefinition | QueryDefinition, found: readonly Warning[]): void => {
    for (const each of found) warnings.add(placeOfFault(warningPlace(each)), warningMessage(each));
  };
  for (const policy of policies) if (policy.compiled !== undefined) add(policy, warningsOf(policy.compiled));
  for (const query of queries) if (query.compiled !== undefined) add(query, queryWarningsOf(query.compiled));
};

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
  const warnings = new Faults();
  warningsIn(await readConfig({ source: commandLine(), folder: cwd }, named, files, faults), warnings);
  const worlds = await Promise.all(tests.map((file) => readWorld(file, cwd)));
  for (const fault of worlds.flatMap((read) => read.faults)) faults.add(fault, fault.message);
  for (const world of worlds.flatMap((read) => read.world ?? [])) {
    warningsIn(world, warnings);
    for (const warning of world.warnings) warnings.add(warning, warning.message);
  }
  const looked = new Set([...files.dependencies.filter(isRecordFile), ...tests]);
  return { files: looked.size, faults: faults.list, warnings: warnings.list };
};

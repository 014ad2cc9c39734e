import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { queryWarningsOf, type Warning, warningsOf } from "@ikg/policy-core/warnings";
import { type Diagnostic, DiagnosticList, type Place, type Source } from "@ikg/sources";
import { fileExists } from "../input/file-exists.ts";
import { Files } from "../policy-tests/file/files.ts";
import { type Config, readConfig } from "../policy-tests/file/read-config.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import type { PolicyDefinition, QueryDefinition } from "../policy-tests/file/world.ts";
import { findTestFiles } from "../policy-tests/find-files.ts";
import { folders } from "../project-folder/project-files.ts";
import { isRecordFile, isTestFile } from "../records/file-names.ts";
import { CommandFault } from "../command-environment.ts";
import { warningMessage, warningPlace } from "./warning.ts";

/** The result of a check. */
export interface Checked {
  readonly files: number;
  readonly faults: readonly Diagnostic[];
  /** Probable mistakes that are accepted. */
  readonly warnings: readonly Diagnostic[];
}

/** Adds warnings of the policy language, except those that depend on the graph. */
const warningsIn = (
  { policies, queries }: Pick<Config, "policies" | "queries">,
  warnings: DiagnosticList,
): void => {
  const add = ({ placeOfFault }: PolicyDefinition | QueryDefinition, found: readonly Warning[]): void => {
    for (const each of found) warnings.add(placeOfFault(warningPlace(each)), warningMessage(each));
  };
  for (const policy of policies) if (policy.compiled !== undefined) add(policy, warningsOf(policy.compiled));
  for (const query of queries) if (query.compiled !== undefined) add(query, queryWarningsOf(query.compiled));
};

/** A pseudo source for paths of the command line. */
const commandLine = (): Source => {
  const place: Place = { file: "command line", line: 1, column: 1 };
  const placeOf = (): Place => place;
  return { file: place.file, value: {}, placeOf, placeOfKey: placeOf, placeInText: placeOf };
};

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Test files among the paths and below them. */
const testFilesOf = async (paths: readonly string[], cwd: string): Promise<readonly string[]> => {
  const lists = paths.map(async (path) => {
    if (await isFolder(resolve(cwd, path))) return findTestFiles(cwd, [path]).catch(() => []);
    return isTestFile(path) ? [resolve(cwd, path)] : [];
  });
  return [...new Set((await Promise.all(lists)).flat())];
};

/** Files and folders of policies and queries; for a folder of `ikg pull`, its subfolders `policies` and `queries`. */
const configOf = async (paths: readonly string[], cwd: string): Promise<readonly string[]> => {
  const lists = paths.map(async (path) => {
    const whole = resolve(cwd, path);
    if (!(await fileExists(whole))) throw new CommandFault(`${path} does not exist`);
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
 * Checks policies, queries and policy tests without a suite: their format, and the rules of the policy language. The suite checks
 * what depends on the project, such as types of its graph, when they are stored.
 */
export const checkFiles = async (paths: readonly string[], cwd: string): Promise<Checked> => {
  const config = await configOf(paths, cwd);
  const tests = await testFilesOf(paths, cwd);
  const faults = new DiagnosticList();
  const files = new Files(cwd, faults);
  const named = { name: "files", tests: [], config: [...config] };
  const warnings = new DiagnosticList();
  warningsIn(await readConfig({ source: commandLine(), folder: cwd }, named, files, faults), warnings);
  const worlds = await Promise.all(tests.map((file) => readWorld(file, cwd)));
  for (const fault of worlds.flatMap((read) => read.faults)) faults.add(fault, fault.message);
  for (const world of worlds.flatMap((read) => read.world ?? [])) {
    warningsIn(world, warnings);
    for (const warning of world.warnings) warnings.add(warning, warning.message);
  }
  const checked = new Set([...files.dependencies.filter(isRecordFile), ...tests]);
  return { files: checked.size, faults: faults.list, warnings: warnings.list };
};

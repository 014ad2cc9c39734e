/** Which checks and tests `npm test -- NAME` means. */
import { globSync } from "node:fs";
import { repository } from "../repository.ts";
import type { Check } from "./checks.ts";
import { checks, codeFolders } from "./checks.ts";

export interface Selection {
  readonly checks: readonly Check[];
  /** relative to the repository; tests whose result depends on what other tests do to the databases meanwhile */
  readonly alone: readonly string[];
  /** unit and integration tests */
  readonly files: readonly string[];
  /** end-to-end tests, which need the services */
  readonly e2e: readonly string[];
  /** of those files only the tests whose name matches */
  readonly testName: RegExp | undefined;
}

export const findTestFiles = (root = repository): string[] =>
  globSync(`{${codeFolders.join(",")}}/**/*.test.ts`, {
    cwd: root,
    exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
  }).toSorted();

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The name as a regular expression, or as plain text where it is none. */
export const asPattern = (name: string): RegExp => {
  try {
    return new RegExp(name, "i");
  } catch {
    return new RegExp(escape(name), "i");
  }
};

const isE2e = (file: string): boolean => file.startsWith("e2e/");
const isAlone = (file: string): boolean => file.endsWith(".alone.test.ts");

/** The name of a check means that check; else a part of a path means those files; else it is a part of tests' names. */
export const select = (name: string | undefined, files: readonly string[]): Selection => {
  const split = (chosen: readonly string[]) => ({
    alone: chosen.filter((file) => !isE2e(file) && isAlone(file)),
    files: chosen.filter((file) => !isE2e(file) && !isAlone(file)),
    e2e: chosen.filter(isE2e),
  });
  if (name === undefined) return { checks, ...split(files), testName: undefined };
  const check = checks.filter((candidate) => candidate.name === name);
  if (check.length > 0) return { checks: check, alone: [], files: [], e2e: [], testName: undefined };
  const pattern = asPattern(name);
  const inPath = files.filter((file) => pattern.test(file));
  if (inPath.length > 0) return { checks: [], ...split(inPath), testName: undefined };
  return { checks: [], ...split(files), testName: pattern };
};

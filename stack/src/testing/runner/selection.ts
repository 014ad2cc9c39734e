/** Which checks and tests `npm test -- NAME` means. */
import { globSync } from "node:fs";
import { repository } from "../../repository.ts";
import type { Check } from "./checks.ts";
import { checks, codeFolders } from "./checks.ts";
import { isAloneFile, isLongFile, isUnitFile } from "./tier.ts";

export interface Selection {
  readonly checks: readonly Check[];
  /** relative to the repository; integration tests whose result depends on what other tests do to the databases meanwhile */
  readonly alone: readonly string[];
  /** unit tests, which need no stores */
  readonly unit: readonly string[];
  /** integration tests */
  readonly files: readonly string[];
  /** end-to-end tests, which need the services */
  readonly e2e: readonly string[];
  /** how many files `npm run test:long` runs besides */
  readonly leftOut: number;
  /** of those files only the tests whose name matches */
  readonly testName: RegExp | undefined;
}

/** What needs stores. */
export type SuiteSelection = Pick<Selection, "alone" | "files" | "e2e" | "testName">;

export const nothingSelected: Selection = {
  checks: [],
  unit: [],
  alone: [],
  files: [],
  e2e: [],
  leftOut: 0,
  testName: undefined,
};

export const findTestFiles = (root = repository): string[] =>
  globSync(`{${codeFolders.join(",")}}/**/*.test.ts`, {
    cwd: root,
    exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
  }).toSorted();

/** The name as a regular expression, or as plain text where it is none. */
export const asPattern = (name: string): RegExp => {
  try {
    return new RegExp(name, "i");
  } catch {
    return new RegExp(RegExp.escape(name), "i");
  }
};

const isE2e = (file: string): boolean => file.startsWith("e2e/");

/** Of these files, those of a tier; of a name that means long ones alone, these. */
const ofTier = (files: readonly string[], isLong: boolean): readonly string[] => {
  const short = files.filter((file) => !isLongFile(file));
  return isLong || short.length === 0 ? files : short;
};

/**
 * The name of a check means that check; else a part of a path means those files; else it is a part of tests' names.
 *
 * @param isLong whether long files are run beside others
 */
export const select = (name: string | undefined, files: readonly string[], isLong: boolean): Selection => {
  const split = (candidates: readonly string[], testName: RegExp | undefined) => {
    const chosen = ofTier(candidates, isLong);
    const inside = chosen.filter((file) => !isE2e(file));
    const integration = inside.filter((file) => !isUnitFile(file));
    return {
      unit: inside.filter(isUnitFile),
      alone: integration.filter(isAloneFile),
      files: integration.filter((file) => !isAloneFile(file)),
      e2e: chosen.filter(isE2e),
      leftOut: candidates.length - chosen.length,
      testName,
    };
  };
  if (name === undefined) return { checks, ...split(files, undefined) };
  const check = checks.filter((candidate) => candidate.name === name);
  if (check.length > 0) return { checks: check, ...split([], undefined) };
  const pattern = asPattern(name);
  const inPath = files.filter((file) => pattern.test(file));
  return { checks: [], ...(inPath.length > 0 ? split(inPath, undefined) : split(files, pattern)) };
};

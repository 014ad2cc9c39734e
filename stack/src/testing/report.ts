/** What Jest's report (`--json --outputFile`) says, counted. */
import { relative } from "node:path";
import { repository } from "../repository.ts";
import type { Counts } from "./counts.ts";
import { none } from "./counts.ts";

export interface JestReport {
  readonly success: boolean;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    /** "failed" also for a file that could not be run */
    readonly status?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Summary extends Counts {
  /** file and name of each test that was skipped; the name says why */
  readonly skippedNames: readonly string[];
  /** files, relative to the repository, in which something failed */
  readonly failedFiles: readonly string[];
  /** files that failed beside others and passed by themselves */
  readonly unsteadyFiles: readonly string[];
}

export const nothingRan: Summary = { ...none, skippedNames: [], failedFiles: [], unsteadyFiles: [] };

/**
 * A file that could not be run counts as one failure. Tests that were left out because they do not match `only` were
 * not asked for and count as nothing.
 */
export const summarize = (report: JestReport, only?: RegExp): Summary => {
  let { passed, failed } = none;
  const skippedNames: string[] = [];
  for (const file of report.testResults)
    for (const { fullName, status } of file.assertionResults) {
      if (status === "passed") passed++;
      else if (status === "failed") failed++;
      else if (!only || only.test(fullName))
        skippedNames.push(`${relative(repository, file.name)}: ${fullName}`);
    }
  failed += report.numRuntimeErrorTestSuites;
  // Jest calls a run failed for other reasons, too, such as a threshold or an obsolete snapshot.
  if (!report.success && failed === 0) failed = 1;
  const failedFiles = report.testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => relative(repository, name));
  return { passed, failed, skipped: skippedNames.length, skippedNames, failedFiles, unsteadyFiles: [] };
};

/** The counts of Jest's report (`--json --outputFile`). */
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
    /** milliseconds since 1970 */
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Summary extends Counts {
  /** file and name of each test that was skipped; the name has the reason */
  readonly skippedNames: readonly string[];
  /** files, relative to the repository, in which something failed */
  readonly failedFiles: readonly string[];
  /** file and name of each test that failed; the file alone where it could not be run */
  readonly failedTests: readonly string[];
  /** those of them that passed when they were repeated */
  readonly flakyTests: readonly string[];
  /** how long each file took */
  readonly files: readonly FileTime[];
}

/** What several programs counted, as one. */
export const joinSummaries = (summaries: readonly Summary[]): Summary => ({
  passed: sum(summaries.map(({ passed }) => passed)),
  failed: sum(summaries.map(({ failed }) => failed)),
  skipped: sum(summaries.map(({ skipped }) => skipped)),
  skippedNames: summaries.flatMap(({ skippedNames }) => skippedNames),
  failedFiles: summaries.flatMap(({ failedFiles }) => failedFiles),
  failedTests: summaries.flatMap(({ failedTests }) => failedTests),
  flakyTests: summaries.flatMap(({ flakyTests }) => flakyTests),
  files: summaries.flatMap(({ files }) => files),
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export interface FileTime {
  /** relative to the repository */
  readonly file: string;
  readonly ms: number;
}

export const nothingRan: Summary = {
  ...none,
  skippedNames: [],
  failedFiles: [],
  failedTests: [],
  flakyTests: [],
  files: [],
};

/**
 * A file that could not be run counts as one failure. Tests that were left out because they do not match `only` were
 * not selected and do not count.
 */
export const summarize = (report: JestReport, only?: RegExp): Summary => {
  let { passed, failed } = none;
  const skippedNames: string[] = [];
  const failedTests: string[] = [];
  for (const { name, status: ofFile, assertionResults } of report.testResults) {
    const file = relative(repository, name);
    for (const { fullName, status } of assertionResults) {
      if (status === "passed") passed++;
      else if (status === "failed") {
        failed++;
        failedTests.push(`${file}: ${fullName}`);
      } else if (!only || only.test(fullName)) skippedNames.push(`${file}: ${fullName}`);
    }
    if (ofFile === "failed" && !assertionResults.some(({ status }) => status === "failed"))
      failedTests.push(file);
  }
  failed += report.numRuntimeErrorTestSuites;
  // Jest calls a run failed for other reasons, too, such as a threshold or an obsolete snapshot.
  if (!report.success && failed === 0) failed = 1;
  const failedFiles = report.testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => relative(repository, name));
  return {
    passed,
    failed,
    skipped: skippedNames.length,
    skippedNames,
    failedFiles,
    failedTests,
    flakyTests: [],
    files: report.testResults.map(({ name, startTime = 0, endTime = startTime }) => ({
      file: relative(repository, name),
      ms: endTime - startTime,
    })),
  };
};

/** The counts of what programs of tests report. */
import type { Counts } from "./counts.ts";
import { none } from "./counts.ts";

/** What one file reports. */
export interface FileReport {
  /** relative to the repository */
  readonly file: string;
  readonly ms: number;
  readonly tests: readonly {
    readonly name: string;
    readonly status: "passed" | "failed" | "skipped";
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
  /** how long each file took, and how many of its tests passed */
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
  readonly passed: number;
}

export const nothingRan: Summary = {
  ...none,
  skippedNames: [],
  failedFiles: [],
  failedTests: [],
  flakyTests: [],
  files: [],
};

/** Counts what files report. A file in which a hook failed has a failed test of that name. */
export const summarize = (files: readonly FileReport[]): Summary => {
  const named = files.flatMap(({ file, tests }) =>
    tests.map(({ name, status }) => ({ file, name: `${file}: ${name}`, status })),
  );
  const of = (wanted: FileReport["tests"][number]["status"]) =>
    named.filter(({ status }) => status === wanted);
  const failed = of("failed");
  const skippedNames = of("skipped").map(({ name }) => name);
  return {
    passed: of("passed").length,
    failed: failed.length,
    skipped: skippedNames.length,
    skippedNames,
    failedFiles: [...new Set(failed.map(({ file }) => file))],
    failedTests: failed.map(({ name }) => name),
    flakyTests: [],
    files: files.map(({ file, ms, tests }) => ({
      file,
      ms,
      passed: tests.filter(({ status }) => status === "passed").length,
    })),
  };
};

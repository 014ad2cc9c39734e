/**
 * A few files that failed beside others are run once more by themselves. Many tests measure time, and two cores run
 * two of them, two databases and up to fifteen processes of services at once; on a machine that others use as well
 * one of thousands is too late now and then. What fails by itself, too, has failed. What does not is flaky: it is named in
 * the last lines of the run, so that its cause is found (docs/testing.md).
 */
import { say } from "../../launch/progress.mjs";
import type { Summary } from "./report.ts";

/** More files than this are no chance. */
const mostFiles = 4;

/** Two at a time leave the databases some of two cores. */
const workers = 2;

/** Names what was skipped. */
export const reportSkipped = (...summaries: readonly Summary[]): void => {
  for (const name of summaries.flatMap(({ skippedNames }) => skippedNames)) say(`skipped: ${name}`);
};

/** Runs files side by side, and a few that failed by themselves. @param run runs so many files at a time */
export const runWithRetry = async (
  files: readonly string[],
  run: (files: readonly string[], workers: number) => Promise<Summary>,
): Promise<Summary> => retryFailed(await run(files, workers), (failed) => run(failed, 1));

/** @param run runs the files one after the other */
export const retryFailed = async (
  first: Summary,
  run: (files: readonly string[]) => Promise<Summary>,
): Promise<Summary> => {
  const { failedFiles } = first;
  if (failedFiles.length === 0 || failedFiles.length > mostFiles) return first;
  say(`Once more, by themselves: ${failedFiles.join(", ")}`);
  const second = await run(failedFiles);
  const { failed, failedTests } = second;
  // A run without a report says of no test that it passed.
  const flakyTests =
    failed > 0 && failedTests.length === 0
      ? []
      : first.failedTests.filter((name) => !failedTests.includes(name));
  if (failed > 0) return { ...first, failed, failedFiles: second.failedFiles, failedTests, flakyTests };
  const passed = first.passed + first.failed;
  return { ...first, passed, failed: 0, failedFiles: [], failedTests: [], flakyTests };
};

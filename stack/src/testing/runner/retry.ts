/**
 * Repeats a few failed files, one at a time. Many tests measure time while two cores run two test files, two databases and
 * up to fifteen service processes, so that one of thousands may be late on a busy machine. A file that fails again has
 * failed. A file that passes is flaky and named in the last lines of the run, so that the cause gets fixed (docs/testing.md).
 */
import { say } from "../../../launch/progress.mjs";
import type { Summary } from "./report.ts";

/** More failed files than this are not repeated: they are no coincidence. */
const maxFiles = 4;

/** As many as cores of a small machine: the databases and services work besides, and an answer that waits for a processor is late. */
const processes = 2;

/** Prints the names of skipped tests. */
export const reportSkipped = (...summaries: readonly Summary[]): void => {
  for (const name of summaries.flatMap(({ skippedNames }) => skippedNames)) say(`skipped: ${name}`);
};

/** Runs files in parallel and repeats a few failed ones. @param run runs the files in so many processes */
export const runWithRetry = async (
  files: readonly string[],
  run: (files: readonly string[], processes: number) => Promise<Summary>,
): Promise<Summary> => retryFailed(await run(files, processes), (failed) => run(failed, 1));

/** @param run runs the files one after the other */
export const retryFailed = async (
  first: Summary,
  run: (files: readonly string[]) => Promise<Summary>,
): Promise<Summary> => {
  const { failedFiles } = first;
  if (failedFiles.length === 0 || failedFiles.length > maxFiles) return first;
  say(`Once more, by themselves: ${failedFiles.join(", ")}`);
  const second = await run(failedFiles);
  const { failed, failedTests } = second;
  // Without a report no test is known to have passed.
  const flakyTests =
    failed > 0 && failedTests.length === 0
      ? []
      : first.failedTests.filter((name) => !failedTests.includes(name));
  // A hook that failed kept tests from running: the second run counts those of its files.
  const counted = first.files.filter(({ file }) => failedFiles.includes(file));
  const passed = first.passed - counted.reduce((sum, file) => sum + file.passed, 0) + second.passed;
  return { ...first, passed, failed, failedFiles: second.failedFiles, failedTests, flakyTests };
};

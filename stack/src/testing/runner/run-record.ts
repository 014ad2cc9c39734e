/**
 * The record of a whole long run: every file that has ended, and the statements that tests have printed. A run that is
 * interrupted, even by the end of its machine, is continued instead of begun again: it takes hours.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../../launch/progress.mjs";
import { Refusal } from "../../../launch/refusal.mjs";
import { inRepository } from "../../repository.ts";
import { formatCounts } from "./counts.ts";
import type { FileReport, Summary } from "./report.ts";
import { reportSkipped } from "./retry.ts";
import type { Selection } from "./selection.ts";

/** The folder of a whole long run, while it lasts and after an interruption. */
export const runFolder = inRepository(".tools", "long-run");

/** The variable by which test processes know where to append the report of each file. */
export const reportsVariable = "IKG_TEST_REPORTS";

/** What a run is of; each part of it draws the same random cases. */
export interface RunIdentity {
  readonly commit: string;
  readonly seed: string;
}

export const reportsIn = (folder: string): string => join(folder, "reports.ndjson");

/** One write a line: several processes append. */
const append = (file: string, value: unknown): void => appendFileSync(file, `${JSON.stringify(value)}\n`);

/** For test processes. @param report of a file that has ended */
export const recordReport = (report: FileReport): void => {
  const file = process.env[reportsVariable];
  if (file) append(file, report);
};

/** Begins the record of a new run. */
export const beginRecord = (run: RunIdentity, folder = runFolder): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  append(reportsIn(folder), run);
};

/** Removes the record of a run that has ended: only what was interrupted is continued. */
export const removeRecord = (folder = runFolder): void => rmSync(folder, { recursive: true, force: true });

/** A run that was interrupted, as far as it came. */
export interface InterruptedRun extends RunIdentity {
  /** Of each file that has ended. Of one that was repeated, the report with failures: it is flaky at best. */
  readonly reports: readonly FileReport[];
}

/** The lines of a file, but for one that was cut when its writer was killed: that test file runs again. */
const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });

const hasFailed = ({ tests }: FileReport): boolean => tests.some(({ status }) => status === "failed");

/** @throws Refusal where no run of this commit was interrupted here */
export const readRecord = (commit: string | undefined, folder = runFolder): InterruptedRun => {
  const file = reportsIn(folder);
  if (!existsSync(file))
    throw new Refusal("No long run was interrupted here: npm run test:long begins one on a clean tree.");
  // Both written above.
  const [run, ...reports] = linesOf(file) as [RunIdentity, ...FileReport[]];
  if (run.commit !== commit) {
    const here = commit === undefined ? "the working tree has changes" : `this is ${commit.slice(0, 12)}`;
    throw new Refusal(
      `The run that was interrupted is of ${run.commit.slice(0, 12)}, and ${here}: npm run test:long begins a new one.`,
    );
  }
  const byFile = new Map<string, FileReport>();
  for (const report of reports) {
    const former = byFile.get(report.file);
    if (former === undefined || !hasFailed(former)) byFile.set(report.file, report);
  }
  return { ...run, reports: [...byFile.values()] };
};

/** Prints what a run had done before it was interrupted. */
export const printBefore = (summary: Summary): void => {
  say(`Before it was interrupted: ${formatCounts(summary)} in ${summary.files.length} files.`);
  for (const name of summary.failedTests) say(`failed before: ${name}`);
  reportSkipped(summary);
};

/** What is left of a selection. */
export const without = (selection: Selection, ended: readonly string[]): Selection => {
  const left = (files: readonly string[]) => files.filter((file) => !ended.includes(file));
  const { unit, alone, files, e2e } = selection;
  return { ...selection, unit: left(unit), alone: left(alone), files: left(files), e2e: left(e2e) };
};

/**
 * The record of a whole long run: every file that has ended, and the statements that tests have printed. A run that is
 * interrupted, even by the end of its machine, is continued instead of begun again: it takes hours.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { say } from "../../../launch/progress.mjs";
import { UserError } from "../../../launch/user-error.mjs";
import { inRepository } from "../../repository.ts";
import { formatCounts } from "./counts.ts";
import { type FileReport, summarize, type Summary } from "./report.ts";
import { reportSkipped } from "./retry.ts";
import type { Selection } from "./selection.ts";
import type { Tally } from "./tally.ts";

/** The folder of a whole long run, while it lasts and after an interruption. */
export const runFolder = inRepository(".tools", "long-run");

/** The variable by which test processes know where to append the report of each file. */
export const reportsVariable = "IKG_TEST_REPORTS";

/** What a run is of; each part of it draws the same random cases. */
export interface RunIdentity {
  readonly commit: string;
  /** Where it began, if that was another commit: between the two only test files changed. */
  readonly firstCommit?: string | undefined;
  readonly seed: string;
}

export const reportsIn = (folder: string): string => join(folder, "reports.ndjson");

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** One write a line: several processes append. */
const append = (file: string, value: unknown): void => appendFileSync(file, line(value));

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

/** A run that was interrupted or failed, as far as it came. */
export interface FormerRun extends RunIdentity {
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

const short = (commit: string): string => commit.slice(0, 12);

/**
 * What of a run is true of another commit. Whatever is not a test may change the result of every test; a test file
 * changes its own, and those of unit tests that read other tests.
 *
 * @param changed every file that differs between the two
 * @throws UserError where one is no test
 */
const carryOver = (
  { commit: former, firstCommit = former, seed, reports }: FormerRun,
  commit: string,
  changed: readonly string[],
  isUnit: (file: string) => boolean,
): FormerRun => {
  const other = changed.filter((file) => !file.endsWith(".test.ts"));
  if (other.length > 0)
    throw new UserError(
      [
        `The run that was interrupted is of ${short(former)}, and this is ${short(commit)}. More than test files changed:`,
        ...other.map((file) => `  ${file}`),
        "npm run test:long begins a new one.",
      ].join("\n"),
    );
  const kept = reports.filter(({ file }) => !changed.includes(file) && !isUnit(file));
  return { commit, firstCommit, seed, reports: kept };
};

/** The run that is recorded here. @throws UserError where there is none */
const readFormer = (folder: string): FormerRun => {
  const file = reportsIn(folder);
  if (!existsSync(file))
    throw new UserError("No long run was interrupted here: npm run test:long begins one on a clean tree.");
  // Both written above.
  const [run, ...reports] = linesOf(file) as [RunIdentity, ...FileReport[]];
  const byFile = new Map<string, FileReport>();
  for (const report of reports) {
    const former = byFile.get(report.file);
    if (former === undefined || !hasFailed(former)) byFile.set(report.file, report);
  }
  return { ...run, reports: [...byFile.values()] };
};

/**
 * What was done of a run that was interrupted or failed, as far as it is true of this commit.
 *
 * @param changedSince the files that differ between a commit and this one
 * @param isUnit whether a file belongs to the unit tests
 * @throws UserError where no run was interrupted here, or more than tests changed since
 */
export const continueRecord = (
  commit: string | undefined,
  changedSince: (former: string) => readonly string[],
  isUnit: (file: string) => boolean,
  folder = runFolder,
): FormerRun => {
  const former = readFormer(folder);
  if (former.commit === commit) return former;
  if (commit === undefined)
    throw new UserError(
      `The run that was interrupted is of ${short(former.commit)}, and the working tree has changes: commit them.`,
    );
  const { reports, ...run } = carryOver(former, commit, changedSince(former.commit), isUnit);
  const file = reportsIn(folder);
  writeFileSync(`${file}.new`, [run, ...reports].map(line).join(""));
  renameSync(`${file}.new`, file);
  return { ...run, reports };
};

/**
 * Ends the record of a run. It is kept where tests that are on record failed and nothing else, such as a look at logs, which
 * a continued run would not repeat.
 */
export const endRecord = ({ requested, additional, flaky }: Tally, folder = runFolder): void => {
  const recorded = summarize(readFormer(folder).reports).failed;
  const isMendable = recorded > 0 && recorded === requested.failed + flaky.length && additional.failed === 0;
  if (!isMendable) rmSync(folder, { recursive: true, force: true });
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

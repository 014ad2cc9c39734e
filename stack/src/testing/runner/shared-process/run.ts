/**
 * Runs test files one after the other in this one process, which loads every module once. Several such processes share the
 * files of a run: each takes the next one that none has taken.
 *
 *   node --import ./register.mjs run.ts REPORT TAKEN PATTERN FILE …
 *
 * REPORT gets the results as JSON. TAKEN is the folder that says which files are taken. PATTERN is a part of tests' names as a
 * regular expression, or empty.
 */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "@jest/globals";
import fc from "fast-check";
import Mocha from "mocha";
import { formatStep } from "../../../../launch/progress.mjs";
import { repository } from "../../../repository.ts";
import type { FileReport } from "../report.ts";
import { recordReport } from "../run-record.ts";
import { beginFile } from "./jest-globals.ts";

type Test = FileReport["tests"][number];

const timeLimitMs = 90_000;

const [reportFile = "", taken = "", pattern = "", ...files] = process.argv.slice(2);

/** Takes a file for this process. @returns false when another one has it. */
const take = (folder: string, file: string): boolean => {
  try {
    closeSync(openSync(join(folder, encodeURIComponent(file)), "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

/** Prints what failed, when a file has ended. */
class Failures extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on("end", () => {
      if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
    });
  }
}

/** Groups without a name are those of `jest-globals.ts`. */
const nameOf = (test: Mocha.Runnable): string => test.titlePath().filter(Boolean).join(" ");

/** What `expect` says of the test that runs, as Jest does: random tests and records of coverage name it. */
const nameTests = (mocha: Mocha, file: string): void =>
  void mocha.suite.beforeEach(function name() {
    const { currentTest } = this;
    expect.setState({
      testPath: join(repository, file),
      currentTestName: currentTest === undefined ? "" : nameOf(currentTest),
    });
  });

/** @param index distinguishes the modules of this file from those of another */
const runFile = async (file: string, index: number): Promise<FileReport> => {
  const began = performance.now();
  const mocha = new Mocha({ timeout: timeLimitMs, reporter: Failures });
  const tests: Test[] = [];
  mocha.suite.emit("pre-require", globalThis, file, mocha);
  nameTests(mocha, file);
  beginFile();
  try {
    await import(`${pathToFileURL(join(repository, file)).href}?file=${index}`);
  } catch (error) {
    Mocha.it("can be loaded", () => {
      throw error;
    });
  }
  if (pattern !== "") mocha.grep(new RegExp(pattern, "i"));
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    const record = (status: Test["status"]) => (test: Mocha.Runnable) =>
      void tests.push({ name: nameOf(test), status });
    runner.on("pass", record("passed"));
    // A hook that fails stands for the tests that it kept from running.
    runner.on("fail", record("failed"));
    runner.on("pending", record("skipped"));
  });
  mocha.dispose();
  return { file, ms: performance.now() - began, tests };
};

/** Files that took less are not printed. */
const notableMs = 1_000;

const print = ({ file, ms, tests }: FileReport): void => {
  const hasFailed = tests.some(({ status }) => status === "failed");
  if (hasFailed || ms >= notableMs) console.log(formatStep(ms, hasFailed ? `FAILED  ${file}` : file));
};

// Every random test begins with the seed of the run; a test that fails prints the case as well.
const seed = process.env["IKG_FUZZ_SEED"];
if (seed !== undefined && seed !== "")
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

// docs/coverage.md is made of what it notes.
if (process.env["IKG_COVERAGE"]) await import("../record-coverage.ts");

const reports: FileReport[] = [];
for (const [index, file] of files.entries()) {
  if (!take(taken, file)) continue;
  const report = await runFile(file, index);
  print(report);
  recordReport(report);
  reports.push(report);
}
writeFileSync(reportFile, JSON.stringify(reports));
process.exit(reports.some(({ tests }) => tests.some(({ status }) => status === "failed")) ? 1 : 0);

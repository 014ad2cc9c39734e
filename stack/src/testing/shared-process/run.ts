/**
 * Runs unit tests in this one process, which loads every module once: Jest links the imports of each test file again.
 *
 *   node --import ./register.mjs run.ts REPORT PATTERN FILE …
 *
 * PATTERN is a part of tests' names as a regular expression, or empty. REPORT gets what Jest's `--json` would say.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Mocha from "mocha";
import { repository } from "../../repository.ts";
import type { JestReport } from "../report.ts";
import "../use-seed.ts";

type FileReport = JestReport["testResults"][number];
type Status = "passed" | "failed" | "pending";

/** That of jest.config.mjs. */
const timeLimitMs = 90_000;

const progressMs = 10_000;

const [reportFile = "", pattern = "", ...files] = process.argv.slice(2);

const require = createRequire(import.meta.url);

class Results {
  readonly #ofFile = new Map<string, { -readonly [K in keyof FileReport]: FileReport[K] }>();

  constructor(names: readonly string[]) {
    for (const name of names)
      this.#ofFile.set(name, { name: join(repository, name), status: "passed", assertionResults: [] });
  }

  /** A hook that fails stands for the tests that it kept from running. */
  add(name: string, fullName: string, status: Status): void {
    const report = this.#ofFile.get(name);
    if (report === undefined) throw new Error(`${name} was not asked for`);
    report.assertionResults = [...report.assertionResults, { fullName, status }];
    if (status === "failed") report.status = "failed";
  }

  time(name: string, start: number, end: number): void {
    const report = this.#ofFile.get(name);
    if (report === undefined) return;
    report.startTime = start;
    report.endTime = end;
  }

  get report(): JestReport {
    const testResults = [...this.#ofFile.values()];
    return {
      success: testResults.every(({ status }) => status !== "failed"),
      numRuntimeErrorTestSuites: 0,
      testResults,
    };
  }
}

/** Every file is a group of its own, so that hooks at the top of a file are run for its tests alone. */
const load = (mocha: Mocha): void => {
  mocha.suite.emit("pre-require", globalThis, null, mocha);
  for (const file of files)
    Mocha.describe(file, () => {
      try {
        require(join(repository, file));
      } catch (error) {
        Mocha.it("can be loaded", () => {
          throw error;
        });
      }
    });
};

/** Prints the progress of a run now and then, and its failures at the end. */
class Progress extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const say = setInterval(() => {
      console.log(
        `    ${this.stats.passes} of ${runner.total} unit tests passed, ${this.stats.failures} failed`,
      );
    }, progressMs);
    runner.on("end", () => {
      clearInterval(say);
      this.epilogue();
    });
  }
}

const mocha = new Mocha({ timeout: timeLimitMs, reporter: Progress });
const results = new Results(files);
load(mocha);
if (pattern !== "") mocha.grep(new RegExp(pattern, "i"));
const runner = mocha.run();
const record = (status: Status) => (test: Mocha.Runnable) => {
  const [file = "", ...names] = test.titlePath();
  results.add(file, names.join(" "), status);
};
runner.on("pass", record("passed"));
runner.on("fail", record("failed"));
runner.on("pending", record("pending"));
const started = new Map<string, number>();
runner.on("suite", ({ parent, title }) => {
  if (parent?.root === true) started.set(title, Date.now());
});
runner.on("suite end", ({ parent, title }) => {
  if (parent?.root === true) results.time(title, started.get(title) ?? Date.now(), Date.now());
});
runner.on("end", () => {
  writeFileSync(reportFile, JSON.stringify(results.report));
  process.exit(results.report.success ? 0 : 1);
});

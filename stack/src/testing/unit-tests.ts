/** Runs unit tests, which share one process: they need nothing that stands between them. */
import { join } from "node:path";
import { inRepository } from "../repository.ts";
import type { JestRun } from "./jest.ts";
import type { Summary } from "./report.ts";
import { retryFailed } from "./retry.ts";
import { runTestProgram } from "./test-program.ts";

const folder = inRepository("stack", "src", "testing", "shared-process");

type UnitRun = Pick<JestRun, "files" | "testName" | "env" | "folder" | "signal">;

const runOnce = (run: UnitRun): Promise<Summary> => {
  const reportFile = join(run.folder, `unit-${process.hrtime.bigint()}.json`);
  const program = ["--import", join(folder, "register.mjs"), join(folder, "run.ts")];
  return runTestProgram({
    title: "the process of unit tests",
    args: [...program, reportFile, run.testName?.source ?? "", ...run.files],
    env: run.env,
    reportFile,
    testName: run.testName,
    signal: run.signal,
  });
};

/** Its output goes to the terminal; what it counted comes back. A few files that failed are run once more. */
export const runUnitTests = async (run: UnitRun): Promise<Summary> =>
  retryFailed(await runOnce(run), (files) => runOnce({ ...run, files }));

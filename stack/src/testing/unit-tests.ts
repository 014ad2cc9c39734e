/** Runs unit tests in a few processes that share the files: they need nothing that stands between them. */
import { join } from "node:path";
import { inRepository } from "../repository.ts";
import type { JestRun } from "./jest.ts";
import { joinSummaries, type Summary } from "./report.ts";
import { retryFailed } from "./retry.ts";
import { runTestProgram } from "./test-program.ts";

const folder = inRepository("stack", "src", "testing", "shared-process");

type UnitRun = Pick<JestRun, "files" | "testName" | "env" | "folder" | "signal">;

/** Many unit tests wait for timers, so that two processes keep two cores busy. */
const processes = 2;

const runOnce = (run: UnitRun): Promise<Summary> => {
  const reportFile = join(run.folder, `unit-${process.hrtime.bigint()}.json`);
  const program = ["--import", join(folder, "register.mjs"), join(folder, "run.ts")];
  return runTestProgram({
    title: "a process of unit tests",
    args: [...program, reportFile, run.testName?.source ?? "", ...run.files],
    env: run.env,
    reportFile,
    testName: run.testName,
    signal: run.signal,
  });
};

const runSplit = async (run: UnitRun): Promise<Summary> => {
  const shares = Array.from({ length: processes }, (_, share) =>
    run.files.filter((_file, index) => index % processes === share),
  );
  const shared = shares.filter((files) => files.length > 0);
  return joinSummaries(await Promise.all(shared.map((files) => runOnce({ ...run, files }))));
};

/** Its output goes to the terminal; what it counted comes back. A few files that failed are run once more. */
export const runUnitTests = async (run: UnitRun): Promise<Summary> =>
  retryFailed(await runSplit(run), (files) => runOnce({ ...run, files }));

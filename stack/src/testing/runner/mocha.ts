/** Runs test files in a few processes that share them. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../repository.ts";
import { runMochaProcess } from "./mocha-process.ts";
import { joinSummaries, type Summary } from "./report.ts";

const folder = inRepository("stack", "src", "testing", "runner", "shared-process");

export interface TestRun {
  /** relative to the repository */
  readonly files: readonly string[];
  readonly testName: RegExp | undefined;
  readonly processes: number;
  readonly env: NodeJS.ProcessEnv;
  /** for reports */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number;
}

/** @param index of the process, from 1: what tests must not share between processes goes by it. */
const runProcess = (run: TestRun, taken: string, index: number): Promise<Summary> => {
  const reportFile = join(run.folder, `tests-${process.hrtime.bigint()}.json`);
  const program = ["--import", join(folder, "register.mjs"), join(folder, "run.ts")];
  return runMochaProcess({
    title: "a process of tests",
    args: [...program, reportFile, taken, run.testName?.source ?? "", ...run.files],
    env: { ...run.env, IKG_TEST_PROCESS: String(index) },
    reportFile,
    signal: run.signal,
    timeLimitMs: run.timeLimitMs,
  });
};

/** Its output goes to the terminal; what it counted comes back. */
export const runMocha = async (run: TestRun): Promise<Summary> => {
  const taken = mkdtempSync(join(run.folder, "taken-"));
  const processes = Math.min(run.processes, run.files.length);
  return joinSummaries(
    await Promise.all(Array.from({ length: processes }, (_, at) => runProcess(run, taken, at + 1))),
  );
};

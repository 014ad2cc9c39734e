/** Runs test files with Jest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import configuration from "../../../jest.config.mjs";
import { repository } from "../repository.ts";
import { programFile } from "./checks.ts";
import type { Summary } from "./report.ts";
import { runTestProgram } from "./test-program.ts";

export interface JestRun {
  /** relative to the repository */
  readonly files: readonly string[];
  readonly testName: RegExp | undefined;
  readonly workers: number;
  readonly env: NodeJS.ProcessEnv;
  /** folder for the report */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number;
}

/** The repository's configuration for these files alone; named as arguments Jest would print them all. */
const writeConfiguration = ({ folder, files }: JestRun): string => {
  const file = join(folder, "jest.config.json");
  const testMatch = files.map((name) => `<rootDir>/${name}`);
  writeFileSync(file, JSON.stringify({ ...configuration, rootDir: repository, testMatch }));
  return file;
};

/** Jest's own output goes to the terminal; what it counted comes back. */
export const runJest = (run: JestRun): Promise<Summary> => {
  const reportFile = join(run.folder, `jest-${process.hrtime.bigint()}.json`);
  const args = [programFile("jest", "jest"), "--json", `--outputFile=${reportFile}`];
  args.push(`--maxWorkers=${run.workers}`, `--config=${writeConfiguration(run)}`);
  if (run.testName) args.push(`--testNamePattern=${run.testName.source}`);
  return runTestProgram({
    title: "Jest",
    args,
    env: { ...run.env, NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning" },
    reportFile,
    testName: run.testName,
    signal: run.signal,
    timeLimitMs: run.timeLimitMs,
  });
};

/** Runs test files with Jest. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import configuration from "../../../jest.config.mjs";
import { say } from "../../launch/progress.mjs";
import { identify } from "../../launch/identity.mjs";
import { whenAborted } from "../interruption.ts";
import { signalProcess } from "../processes/end.ts";
import { repository } from "../repository.ts";
import { programFile } from "./checks.ts";
import { one } from "./counts.ts";
import type { JestReport, Summary } from "./report.ts";
import { summarize } from "./report.ts";

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

/** A test that leaves something open must not hold everything up for ever. */
const usualTimeLimitMs = 30 * 60_000;

/** Jest leads a process group of its own, so that its workers end with it. */
const spawnJest = (
  args: readonly string[],
  { signal, timeLimitMs = usualTimeLimitMs }: JestRun,
  env: NodeJS.ProcessEnv,
): Promise<number> =>
  new Promise((resolve) => {
    const jest = spawn(process.execPath, [programFile("jest", "jest"), ...args], {
      cwd: repository,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
      env,
    });
    const identity = jest.pid === undefined ? undefined : identify(jest.pid);
    const kill = () => {
      if (identity) signalProcess(identity, "SIGKILL", true);
    };
    const timer = setTimeout(() => {
      say("Jest does not end; it is ended.");
      kill();
    }, timeLimitMs);
    void whenAborted(signal).then(kill);
    jest.once("error", () => resolve(1));
    jest.once("exit", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });

/** The repository's configuration for these files alone; named as arguments Jest would print them all. */
const writeConfiguration = ({ folder, files }: JestRun): string => {
  const file = join(folder, "jest.config.json");
  const testMatch = files.map((name) => `<rootDir>/${name}`);
  writeFileSync(file, JSON.stringify({ ...configuration, rootDir: repository, testMatch }));
  return file;
};

/** Jest's own output goes to the terminal; what it counted comes back. */
export const runJest = async (run: JestRun): Promise<Summary> => {
  const outputFile = join(run.folder, `jest-${process.hrtime.bigint()}.json`);
  const args = ["--json", `--outputFile=${outputFile}`, `--maxWorkers=${run.workers}`];
  args.push(`--config=${writeConfiguration(run)}`);
  if (run.testName) args.push(`--testNamePattern=${run.testName.source}`);
  const env = { ...run.env, NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning" };
  await spawnJest(args, run, env);
  try {
    // Written by Jest.
    return summarize(JSON.parse(readFileSync(outputFile, "utf8")) as JestReport, run.testName);
  } catch {
    if (!run.signal.aborted) say("Jest ended without a report.");
    return { ...one(false), skippedNames: [] };
  }
};

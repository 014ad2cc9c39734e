/** Runs test files with Jest. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
import { nothingRan, summarize } from "./report.ts";

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

/** A test that hangs must not hold everything up for ever. */
const usualTimeLimitMs = (process.env["IKG_LONG"] === "1" ? 180 : 60) * 60_000;

/** How long Jest may go on after its report: by then only what a test has left open keeps it. */
const lingerMs = 20_000;

/** Jest leads a process group of its own, so that its workers end with it. */
const spawnJest = (
  args: readonly string[],
  reportFile: string,
  { signal, timeLimitMs = usualTimeLimitMs }: JestRun,
  env: NodeJS.ProcessEnv,
): Promise<void> =>
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
    let reported: number | undefined;
    const watch = setInterval(() => {
      if (reported === undefined && existsSync(reportFile)) reported = performance.now();
      if (reported === undefined || performance.now() - reported < lingerMs) return;
      say("Tests have left something open; Jest is ended.");
      kill();
    }, 1_000);
    const ended = () => {
      clearTimeout(timer);
      clearInterval(watch);
      resolve();
    };
    void whenAborted(signal).then(kill);
    jest.once("error", ended);
    jest.once("exit", ended);
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
  await spawnJest(args, outputFile, run, env);
  try {
    // Written by Jest.
    return summarize(JSON.parse(readFileSync(outputFile, "utf8")) as JestReport, run.testName);
  } catch {
    if (!run.signal.aborted) say("Jest ended without a report.");
    return { ...nothingRan, ...one(false) };
  }
};

/** Runs one process of Mocha, which writes a report of its test files. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { say } from "../../../launch/progress.mjs";
import { identify } from "../../../launch/identity.mjs";
import { whenAborted } from "../../interruption.ts";
import { signalProcess } from "../../processes/end.ts";
import { repository } from "../../repository.ts";
import { one } from "./counts.ts";
import type { FileReport, Summary } from "./report.ts";
import { nothingRan, summarize } from "./report.ts";
import { isLongRun } from "../test-environment.ts";

export interface MochaProcess {
  readonly title: string;
  /** of Node */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly reportFile: string;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number | undefined;
}

/** A test that hangs must not hold everything up for ever. */
const usualTimeLimitMs = (): number => (isLongRun() ? 180 : 60) * 60_000;

/** How long a process may run after its report: by then only handles that a test left open keep it. */
const lingerMs = 20_000;

/** The process leads a process group of its own, so that what it starts ends with it. */
const untilEnd = ({ title, args, env, reportFile, signal, timeLimitMs }: MochaProcess): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: repository,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
      env,
    });
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    const kill = () => {
      if (identity) signalProcess(identity, "SIGKILL", true);
    };
    const timer = setTimeout(() => {
      say(`${title} does not end; it is ended.`);
      kill();
    }, timeLimitMs ?? usualTimeLimitMs());
    let reported: number | undefined;
    const watch = setInterval(() => {
      if (reported === undefined && existsSync(reportFile)) reported = performance.now();
      if (reported === undefined || performance.now() - reported < lingerMs) return;
      say(`Tests have left something open; ${title} is ended.`);
      kill();
    }, 1_000);
    const ended = () => {
      clearTimeout(timer);
      clearInterval(watch);
      resolve();
    };
    void whenAborted(signal).then(kill);
    child.once("error", ended);
    child.once("exit", ended);
  });

/** Its own output goes to the terminal; what it counted comes back. */
export const runMochaProcess = async (mocha: MochaProcess): Promise<Summary> => {
  await untilEnd(mocha);
  try {
    // Written by the process.
    const report = JSON.parse(readFileSync(mocha.reportFile, "utf8")) as readonly FileReport[];
    return summarize(report);
  } catch {
    if (!mocha.signal.aborted) say(`${mocha.title} ended without a report.`);
    return { ...nothingRan, ...one(false) };
  }
};

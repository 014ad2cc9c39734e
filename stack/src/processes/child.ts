/** One process of the suite: started into its log file, recorded, and watched until it ends. */
import { spawn } from "node:child_process";
import { closeSync, fstatSync } from "node:fs";
import { identify } from "../../launch/identity.mjs";
import type { Home } from "../home.ts";
import { endProcess } from "./end.ts";
import { logFile, openLog, readLogFrom } from "./log.ts";
import { removeRecord, writeRecord } from "./record.ts";

export interface ChildCommand {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** how long it may take to end by itself after SIGTERM; asked when it is stopped */
  readonly graceMs: number | (() => Promise<number>);
}

export interface Child {
  readonly name: string;
  readonly pid: number | undefined;
  readonly log: string;
  /** Kept when it has ended, for whatever reason: "code 1", "SIGKILL", "cannot be started: …". */
  readonly ended: Promise<string>;
  /** What it has written since it was started, the last 16 KiB. */
  readonly output: () => string;
  /** Ends it and waits for that; at once when `force`. */
  stop(force?: boolean): Promise<void>;
}

/**
 * The child leads a process group of its own, so that Ctrl-C in the terminal reaches this process alone and the suite
 * ends in its order; and it writes to its file itself, so that it never depends on this process to read.
 */
export const startChild = (home: Home, command: ChildCommand): Child => {
  const log = logFile(home, command.name);
  const handle = openLog(log);
  const from = fstatSync(handle).size;
  const process = spawn(command.program, command.args, {
    cwd: home.root,
    env: command.env,
    detached: true,
    stdio: ["ignore", handle, handle],
  });
  closeSync(handle);
  const identity = process.pid === undefined ? undefined : identify(process.pid);
  if (identity) writeRecord(home, { name: command.name, identity });
  const ended = new Promise<string>((resolve) => {
    process.once("error", (error) => resolve(`cannot be started: ${error.message}`));
    process.once("exit", (code, signal) => resolve(signal ?? `code ${code ?? 1}`));
  });
  void ended.then(() => removeRecord(home, command.name));
  return {
    name: command.name,
    pid: process.pid,
    log,
    ended,
    output: () => readLogFrom(log, from),
    stop: async (force = false) => {
      const { graceMs } = command;
      const given = async (): Promise<number> => (typeof graceMs === "number" ? graceMs : graceMs());
      if (identity) await endProcess(identity, force ? 0 : await given());
      await ended;
    },
  };
};

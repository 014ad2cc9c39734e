/** HTTP servers that a measurement starts beside the suite, each in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../stack/src/ports.ts";
import { isReady } from "../../stack/src/processes/is-ready.ts";

export interface ServerProcess {
  /** address without a slash at the end */
  readonly url: string;
  /** milliseconds from the start of the process to its first ready response */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

const readyWithinMs = 120_000;
const pollMs = 5;

const waitUntilReady = async (
  address: string,
  readyPath: string,
  child: ChildProcess,
  log: string,
): Promise<void> => {
  for (const end = performance.now() + readyWithinMs; performance.now() < end; await delay(pollMs)) {
    if (await isReady(address, 2_000, readyPath)) return;
    if (child.exitCode !== null) break;
  }
  throw new Error(`${address}${readyPath} did not become ready: ${readFileSync(log, "utf8").slice(-2_000)}`);
};

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a server on a free port of the loopback and waits until it answers `readyPath`. What it prints goes to a file,
 * as the suite has it, so that reading it costs no time of the measurement.
 *
 * @param commandOf how it is started; the folder is its own and goes with it
 */
export const startServer = async (
  commandOf: (port: number, folder: string) => Command,
  readyPath: string,
): Promise<ServerProcess> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-bench-"));
  const log = join(folder, "log");
  const port = await freePort();
  const handle = openSync(log, "w");
  const { program, args, env } = commandOf(port, folder);
  const began = performance.now();
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", handle, handle],
  });
  closeSync(handle);
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(url, readyPath, child, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, readyAfterMs: performance.now() - began, stop };
};

/** Starts a program of this repository: it listens on `PORT` and answers `/readyz`. */
export const startServerProcess = (
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> =>
  startServer((port) => {
    const cache = process.env["NODE_COMPILE_CACHE"];
    return {
      program: process.execPath,
      args: [fileURLToPath(program)],
      env: { ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }), ...env, PORT: String(port) },
    };
  }, "/readyz");

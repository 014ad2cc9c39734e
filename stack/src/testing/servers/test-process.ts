import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { eventually } from "../eventually.ts";

/** A process that a test started. */
export interface TestProcess {
  /** Everything it has written so far. */
  output(): string;
  /** Resident memory in megabytes: the current one, or its peak (VmHWM). Linux only. */
  residentMb(field?: "VmRSS" | "VmHWM"): number;
  /** Ends it and waits until it has exited. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface Starting {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Polled until it is true; at most 2 minutes, or `withinMs`. */
  readonly isReady: () => Promise<boolean>;
  readonly withinMs?: number;
}

const readyWithinMs = 120_000;
const inheritedPath = [process.env["PATH"], "/usr/sbin", "/usr/local/sbin"].join(":");

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/**
 * Memory of a process. Linux only.
 *
 * @param field of `/proc/PID/status`: what is resident now, or was at most.
 * @returns megabytes.
 * @throws Error when there is no such process.
 */
const memoryMb = (pid: number | undefined, field: "VmRSS" | "VmHWM" = "VmRSS"): number => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${String(pid)}/status`, "utf8"),
  );
  return Number(found?.[1]) / 1024;
};

/**
 * Starts a process and waits until it is ready.
 *
 * @throws Error with its output when it ends before, or is not ready in time.
 */
export const startProcess = async ({
  program,
  args,
  env,
  isReady,
  withinMs = readyWithinMs,
}: Starting): Promise<TestProcess> => {
  const child = spawn(program, args, { env: { PATH: inheritedPath, ...env } });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const end = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    if (!hasEnded(child)) child.kill(signal);
    await ended;
  };
  const isReadyUnlessEnded = async (): Promise<boolean> => {
    const ready = await isReady();
    if (!ready && hasEnded(child)) throw new Error("it has ended");
    return ready;
  };
  try {
    await eventually(isReadyUnlessEnded, Boolean, { withinMs, everyMs: 100 });
  } catch (error) {
    await end("SIGKILL");
    throw new Error(`${[program, ...args].join(" ")} is not ready: ${output.slice(-2_000)}`, {
      cause: error,
    });
  }
  return { output: () => output, residentMb: (field) => memoryMb(child.pid, field), end };
};

/** The command line as it is published, built for the measurement. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const buildProgram = fileURLToPath(new URL("../../../apps/cli/build.ts", import.meta.url));
const sampleMs = 20;

export interface Run {
  readonly ms: number;
  readonly output: string;
  /** megabytes of resident memory at most; Linux only */
  readonly peakMb: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const peakKb = (pid: number | undefined): number => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Runs Node with these arguments to its end. @throws Error with what it said where it fails */
export const runNode = async (args: readonly string[], { cwd, env }: RunOptions): Promise<Run> => {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors, kb] = ["", "", 0];
  child.stdout.on("data", (text) => void (output += String(text)));
  child.stderr.on("data", (text) => void (errors += String(text)));
  const sampler = setInterval(() => void (kb = Math.max(kb, peakKb(child.pid))), sampleMs);
  const [code] = (await once(child, "close")) as [number | null];
  const ms = performance.now() - started;
  clearInterval(sampler);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${errors}${output}`);
  return { ms, output, peakMb: kb / 1_024 };
};

/** Builds the package into a folder. @returns its program */
export const buildCli = async (folder: string, options: RunOptions): Promise<string> => {
  const target = join(folder, "package");
  await runNode([buildProgram, target], options);
  return join(target, "main.js");
};

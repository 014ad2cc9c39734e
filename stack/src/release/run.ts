/** Programs that a release uses. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Refusal } from "../../launch/refusal.mjs";

export interface RunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to standard output
 * @throws Refusal with its last lines when it fails
 */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd, signal }: RunOptions,
): Promise<string> => {
  const child = spawn(program, args, { cwd, signal, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  // A character may come in two chunks.
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  const [code] = (await once(child, "close").catch((error: unknown) => {
    errors += String(error);
    return [127];
  })) as [number | null];
  if (code === 0) return output;
  const lines = `${output}\n${errors}`.trim().split("\n").slice(-10);
  throw new Refusal([`${[program, ...args].join(" ")} failed.`, ...lines].join("\n"));
};

/** Programs that a release uses. */
import { spawn } from "node:child_process";
import { UserError } from "../../launch/user-error.mjs";
import { Interrupted } from "../command.ts";

export interface RunOptions {
  readonly cwd: string;
  /** Ends the program with SIGTERM. */
  readonly signal: AbortSignal;
}

/** Exit code of a shell for a program that it does not find. */
const notFound = 127;

/**
 * Runs a program to its end, also after the signal: it may remove what it has made.
 *
 * @returns what it wrote to standard output
 * @throws UserError with its last lines when it fails; Interrupted where the signal is aborted
 */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd, signal }: RunOptions,
): Promise<string> => {
  if (signal.aborted) throw new Interrupted();
  const child = spawn(program, args, { cwd, signal, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  // A character may come in two chunks.
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      errors += String(error);
      // The signal is an error, too; the program has not ended yet.
      if (!signal.aborted) resolve(notFound);
    });
    child.once("close", resolve);
  });
  if (signal.aborted) throw new Interrupted();
  if (code === 0) return output;
  const lines = `${output}\n${errors}`.trim().split("\n").slice(-10);
  throw new UserError([`${[program, ...args].join(" ")} failed.`, ...lines].join("\n"));
};

/** A program of ours in the place of a command: its output, its end, and Ctrl-C, which reaches it as well. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** @returns its exit code */
export const runProgramOfOurs = async (
  program: string,
  args: readonly string[],
  cwd = process.cwd(),
): Promise<number> => {
  const child = spawn(process.execPath, [program, ...args], { stdio: "inherit", cwd });
  // It ends in order and reports what is left.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
};

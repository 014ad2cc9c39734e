/** Runs a Node script in place of a command: output, exit code and signals are passed through. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** @returns its exit code */
export const runNodeScript = async (
  script: string,
  args: readonly string[],
  cwd = process.cwd(),
): Promise<number> => {
  const child = spawn(process.execPath, [script, ...args], { stdio: "inherit", cwd });
  // The script shuts down in order and reports what is left.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
};

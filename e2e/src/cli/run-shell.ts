import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ShellRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a script of bash to its end; other work of the test goes on meanwhile. @param env all variables of it */
export const runShell = async (
  script: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ShellRun> => {
  const child = spawn("bash", ["-o", "pipefail", "-c", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (text) => void (output += String(text)));
  child.stderr.on("data", (text) => void (errors += String(text)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors };
};

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openAdmin } from "../requests/clients.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));

/** How a run of `ikg test` ended. */
export interface PolicyTestRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly pid: number | undefined;
}

/** Starts `ikg test` against the suite under test, in the folder of the repository. */
export const startPolicyTests = (args: readonly string[], cwd = root): ChildProcess =>
  spawn(process.execPath, [program, "test", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });

export const runPolicyTests = async (args: readonly string[], cwd = root): Promise<PolicyTestRun> => {
  const child = startPolicyTests(args, cwd);
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (text) => void (output += String(text)));
  child.stderr?.on("data", (text) => void (errors += String(text)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors, pid: child.pid };
};

/** Names of the projects that runs of policy tests have at present. */
export const testProjects = async (): Promise<readonly string[]> =>
  (await openAdmin().projects.list()).filter(({ purpose }) => purpose === "TEST").map(({ name }) => name);

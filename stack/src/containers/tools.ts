/**
 * Scripts that give a machine what it lacks: `container-engine`, `container-plugins`, `local-images` and `k8s-node`, each safe
 * to run again. For machines that no engine was installed on, or that reach no registry of images.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { repository } from "../repository.ts";

/** The folder that has them; undefined where there is none. */
export const toolFolder = (): string | undefined =>
  [process.env["IKG_CONTAINER_TOOLS"], resolve(repository, "..", "shared", "tools", "containers")].find(
    (folder) => folder !== undefined && folder !== "" && existsSync(join(folder, "container-engine")),
  );

/**
 * @returns what the script has written
 * @throws UserError with its last lines when it fails
 */
export const runTool = async (
  folder: string,
  [name, ...args]: readonly [string, ...string[]],
  what: string,
  signal: AbortSignal,
): Promise<string[]> => {
  const lines: string[] = [];
  const { code, tail } = await step(what, () =>
    runProgram(join(folder, name), args, { signal, onLine: (line) => lines.push(line) }),
  );
  if (signal.aborted) throw new Interrupted();
  if (code !== 0) throw new UserError([`${what}: ${name} failed.`, ...tail.slice(-5)].join("\n"));
  return lines;
};

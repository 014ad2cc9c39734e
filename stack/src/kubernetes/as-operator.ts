/** A shell as an operator of a cluster uses it: in the folder of the repository, with a kubectl that means this cluster. */
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { repository } from "../repository.ts";
import type { Cluster } from "./kubectl.ts";

/**
 * Whatever its exit code.
 *
 * @param args of sh: a script with its own, or `-euc` with commands
 * @param variables besides those of the cluster
 */
export const tryAsOperator = async (
  { env, signal }: Cluster,
  title: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly tail: readonly string[] }> => {
  const result = await step(title, () =>
    runProgram("sh", args, { cwd: repository, env: { ...env, ...variables }, signal }),
  );
  if (signal.aborted) throw new Interrupted();
  return result;
};

/** @throws UserError with its last lines when it fails */
export const runAsOperator = async (
  cluster: Cluster,
  title: string,
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
): Promise<void> => {
  const { code, tail } = await tryAsOperator(cluster, title, args, variables);
  if (code !== 0) throw new UserError([`${title} failed.`, ...tail.slice(-20)].join("\n"));
};

/** The command of Kubernetes on one cluster. */
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { repository } from "../repository.ts";

/** One cluster as kubectl reaches it. */
export interface Cluster {
  /** the variables of this process, and those that choose the cluster */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** All that this project puts into a cluster is in it. */
export const namespace = "ikg";

export interface CommandResult {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Whatever its exit code. */
export const tryKubectl = async (cluster: Cluster, ...args: readonly string[]): Promise<CommandResult> => {
  const lines: string[] = [];
  const { code } = await runProgram("kubectl", args, {
    cwd: repository,
    env: cluster.env,
    signal: cluster.signal,
    onLine: (line) => lines.push(line),
  });
  if (cluster.signal.aborted) throw new Interrupted();
  return { code, lines };
};

/**
 * @returns what the command has written
 * @throws UserError with its last lines when it fails
 */
export const kubectl = async (cluster: Cluster, ...args: readonly string[]): Promise<readonly string[]> => {
  const { code, lines } = await tryKubectl(cluster, ...args);
  if (code !== 0) throw new UserError([`kubectl ${args.join(" ")} failed.`, ...lines.slice(-10)].join("\n"));
  return lines;
};

/** The same in our namespace. */
export const inNamespace = (cluster: Cluster, ...args: readonly string[]): Promise<readonly string[]> =>
  kubectl(cluster, "--namespace", namespace, ...args);

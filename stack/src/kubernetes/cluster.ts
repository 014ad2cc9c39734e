/** A cluster to test on: that of the current kubectl context, else a node that is made for the test and removed. */
import { delimiter } from "node:path";
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { runTool, toolFolder } from "../containers/tools.ts";
import { inheritEnvironment } from "../services/variables.ts";
import { type Cluster, namespace, tryKubectl } from "./kubectl.ts";

export interface TestCluster extends Cluster {
  /** Makes images of this machine's engine known to it. */
  load(images: readonly string[]): Promise<void>;
  /** Removes it, where it was made for the test. */
  remove(): Promise<void>;
}

const answers = async (env: NodeJS.ProcessEnv): Promise<boolean> =>
  (await runProgram("kubectl", ["get", "--raw", "/readyz", "--request-timeout=5s"], { env })).code === 0;

/** The variables of a line that a shell would evaluate: `export A=b PATH=c:$PATH`. */
const exported = (line: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [
      name,
      value.replace(`:$PATH`, `${delimiter}${process.env["PATH"] ?? ""}`),
    ]),
  );

const makeNode = async (tools: string, signal: AbortSignal): Promise<TestCluster> => {
  const lines = await runTool(
    tools,
    ["k8s-node", "up"],
    "a Kubernetes node (its first build takes minutes)",
    signal,
  );
  const env = {
    ...inheritEnvironment(process.env),
    ...exported(lines.find((line) => line.startsWith("export ")) ?? ""),
  };
  return {
    env,
    signal,
    load: async (images) => {
      await runTool(tools, ["k8s-node", "load", ...images], "images on the node", signal);
    },
    remove: async () => {
      await runTool(tools, ["k8s-node", "down"], "removing the node", new AbortController().signal);
    },
  };
};

const openCurrentCluster = async (env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<TestCluster> => {
  const cluster = { env, signal };
  if ((await tryKubectl(cluster, "get", "namespace", namespace)).code === 0)
    throw new UserError(
      `The cluster of the current kubectl context has a namespace ${namespace}; tests would remove what is in it.`,
    );
  say("the cluster of the current kubectl context is used; it must be able to get the images ikg/*");
  return { ...cluster, load: async () => undefined, remove: async () => undefined };
};

/** @throws UserError with one line that names what is missing and cannot be installed */
export const openCluster = async (signal: AbortSignal): Promise<TestCluster> => {
  const env = inheritEnvironment(process.env);
  if (await answers(env)) return openCurrentCluster(env, signal);
  const tools = toolFolder();
  if (tools === undefined)
    throw new UserError(
      "No Kubernetes cluster answers: `kubectl get --raw /readyz` fails. Choose a context.",
    );
  return makeNode(tools, signal);
};

/** A release of the Helm chart in our namespace, as an operator installs it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { chartFolder } from "../helm/chart.ts";
import { inRepository, repository } from "../repository.ts";
import { prepareHelm } from "../system/helm.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { runAsOperator } from "./as-operator.ts";
import { type Cluster, inNamespace, namespace } from "./kubectl.ts";

export interface Release {
  install(values: object): Promise<void>;
  /** Replaces one service after the other, by the commands of docs/upgrading.md. */
  upgrade(values: object): Promise<void>;
  /** Goes back to the first revision, one service after the other, by the commands of docs/operations.md. */
  rollback(): Promise<void>;
  /** Runs commands of a page in a folder, where Helm, its chart and `values.yaml` are this release's. */
  runDocumented(title: string, commands: string, values: object, folder?: string): Promise<void>;
  uninstall(): Promise<void>;
  /** The objects of the stores inside, as the chart would make them, open to every client. */
  storeManifests(): Promise<string>;
}

const name = "ikg";
const timeout = ["--wait", "--timeout=15m"];
const withoutPolicies = ["--set", "networkPolicies.enabled=false"];
const chart = inRepository(chartFolder);
const ofMachine = join(chart, "examples", "local.yaml");

/** @throws UserError when Helm is not available */
export const openRelease = async (cluster: Cluster): Promise<Release> => {
  const { helm } = await prepareHelm();
  const { env, signal } = cluster;
  const run = async (...args: readonly string[]): Promise<readonly string[]> => {
    const lines: string[] = [];
    const options = { cwd: repository, env, signal, onLine: (line: string) => lines.push(line) };
    const { code } = await runProgram(helm, [...args, "--namespace", namespace], options);
    if (signal.aborted) throw new Interrupted();
    if (code !== 0) throw new UserError([`helm ${args[0]} failed.`, ...lines.slice(-10)].join("\n"));
    return lines;
  };
  /** @param use called with the options that name the values */
  const withValues = async (
    values: object,
    use: (options: readonly string[]) => Promise<unknown>,
  ): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), "ikg-release-"));
    try {
      const file = join(folder, "values.json");
      writeFileSync(file, JSON.stringify(values));
      await use(["--values", ofMachine, "--values", file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const runDocumented: Release["runDocumented"] = (title, commands, values, folder = repository) =>
    withValues(values, async (options) => {
      const ofRelease = commands
        .replaceAll(/^( *)helm /gm, `$1${helm} `)
        .replaceAll("ikg-X.Y.Z.tgz", chart)
        .replaceAll("--values values.yaml", options.join(" "));
      await runAsOperator(cluster, title, ["-euc", `cd "$1"\n${ofRelease}`, "sh", folder]);
    });
  return {
    install: (values) => withValues(values, (options) => run("install", name, chart, ...options, ...timeout)),
    upgrade: (values) =>
      runDocumented("replace with helm", documentedCommands("replace with helm", "upgrading.md"), values),
    rollback: () => {
      const commands = documentedCommands("roll back with helm").replace("REVISION", "1");
      return runDocumented("roll back with helm", commands, {});
    },
    runDocumented,
    uninstall: async () => {
      await run("uninstall", name, ...timeout);
    },
    storeManifests: async () =>
      (await run("template", name, chart, ...withoutPolicies, "--show-only", "templates/stores.yaml")).join(
        "\n",
      ),
  };
};

const kinds =
  "deployment,statefulset,service,configmap,serviceaccount,ingress,networkpolicy,pdb,hpa,job,role,rolebinding,secret,pvc";

/** What every namespace has. */
const ofNamespace = new Set(["configmap/kube-root-ca.crt", "serviceaccount/default"]);

/** What is in the namespace, in order; pods may still be ending. */
export const objectsLeft = async (cluster: Cluster): Promise<readonly string[]> => {
  const lines = await inNamespace(cluster, "get", kinds, "--output=name");
  return lines.filter((line) => line.includes("/") && !ofNamespace.has(line)).toSorted();
};

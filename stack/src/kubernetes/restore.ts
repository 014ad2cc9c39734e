/** The volumes of a cluster are lost: what k8s/backup has copied is put into new ones. */
import { step } from "../../launch/progress.mjs";
import { inRepository } from "../repository.ts";
import { add, type Counts } from "../testing/runner/counts.ts";
import { checkLoss } from "../testing/suites/loss.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { runAsOperator, tryAsOperator } from "./as-operator.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import { applySuite, type KubernetesSession } from "./session.ts";

const backup = "before-the-loss";

const script = (name: string): string => inRepository("k8s", "backup", name);
const backUp = script("backup.sh");
const restore = script("restore.sh");

const scaleToNone = async (cluster: Cluster): Promise<void> => {
  await inNamespace(cluster, "scale", "deployment,statefulset", "--all", "--replicas=0");
  for (const component of ["service", "store"])
    await inNamespace(
      cluster,
      "wait",
      "--for=delete",
      "pod",
      `--selector=app.kubernetes.io/component=${component}`,
      "--timeout=120s",
    );
};

const loseVolumes = async (cluster: Cluster): Promise<void> => {
  await scaleToNone(cluster);
  await inNamespace(cluster, "delete", "pvc", "data-neo4j-0", "data-redis-0");
};

/** The first line with the reason of a script's refusal. */
const refusal = ({ code, tail }: { code: number; tail: readonly string[] }): string =>
  code === 0 ? "" : (tail.find((line) => /^(the suite runs|the volume of )/.test(line)) ?? "");

export const checkRestore = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  let refused: readonly string[] = [];
  let codeOfNone = 0;
  const tryRestore = async (where: string): Promise<string> =>
    refusal(await tryAsOperator(cluster, `restore ${where}`, [restore, backup]));
  const found = await checkLoss(environment, async () => {
    await runAsOperator(cluster, "a backup", [backUp, backup]);
    await runAsOperator(cluster, "its check", [restore, backup, "--check"]);
    const ofNone = await tryAsOperator(cluster, "the check of none", [restore, "never-made", "--check"]);
    codeOfNone = ofNone.code;
    const whileRunning = await tryRestore("over a suite that runs");
    await step("losing the volumes", () => loseVolumes(cluster));
    await runAsOperator(cluster, "restore", [restore, backup]);
    refused = [whileRunning, await tryRestore("over data")];
    await step("kubectl apply --kustomize k8s/overlays/test", async () => {
      await inNamespace(cluster, "scale", "statefulset", "--all", "--replicas=1");
      await inNamespace(cluster, "scale", "deployment", "--all", "--replicas=2");
      await applySuite(cluster);
    });
    return environment;
  });
  const ofRefusals = verdict(
    refused.every((line) => line !== ""),
    `a restore over a suite that runs, and over data, is refused: ${refused.join("; ")}`,
  );
  const ofCheck = verdict(codeOfNone === 1, `the check of a backup that there is not fails (${codeOfNone})`);
  return add(found, add(ofRefusals, ofCheck));
};

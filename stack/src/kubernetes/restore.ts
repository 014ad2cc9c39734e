/** The volumes of a cluster are lost: what k8s/backup has copied is put into new ones. */
import { step } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { inRepository, repository } from "../repository.ts";
import { add, type Counts } from "../testing/runner/counts.ts";
import { checkLoss } from "../testing/suites/loss.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import { applySuite, type KubernetesSession } from "./session.ts";

const backup = "before-the-loss";

/** As an operator runs it. @param args the name of a backup first */
const runScript = ({ env, signal }: Cluster, name: string, args: readonly string[] = [backup]) =>
  step(`k8s/backup/${name}`, () =>
    runProgram("sh", [inRepository("k8s", "backup", name), ...args], { cwd: repository, env, signal }),
  );

const mustRun = async (cluster: Cluster, name: string, args?: readonly string[]): Promise<void> => {
  const { code, tail } = await runScript(cluster, name, args);
  if (code !== 0) throw new Refusal([`${name} failed.`, ...tail.slice(-20)].join("\n"));
};

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
  const found = await checkLoss(environment, async () => {
    await mustRun(cluster, "backup.sh");
    await mustRun(cluster, "restore.sh", [backup, "--check"]);
    codeOfNone = (await runScript(cluster, "restore.sh", ["never-made", "--check"])).code;
    const whileRunning = refusal(await runScript(cluster, "restore.sh"));
    await step("losing the volumes", () => loseVolumes(cluster));
    await mustRun(cluster, "restore.sh");
    refused = [whileRunning, refusal(await runScript(cluster, "restore.sh"))];
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

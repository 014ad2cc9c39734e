/** The keys of a deployment are rotated under load, by the commands of docs/operations.md. */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { step } from "../../launch/progress.mjs";
import { inRepository } from "../repository.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import {
  describeLoad,
  failed,
  loadWhile,
  makeLoadProject,
  removeLoadProject,
  warm,
} from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { runAsOperator } from "./as-operator.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import type { KubernetesSession } from "./session.ts";

const accept = documentedCommands("rotate keys on kubernetes");
/** The credentials of the load and of the tests have the former pepper: it stays accepted. */
const steps = {
  accept,
  use: accept.replace(" accept ", " use "),
  drop: accept
    .replace(" accept ", " drop ")
    .replace(/ (?:CREDENTIAL_PEPPER|CONFIG_ENCRYPTION_KEY)(?=\s)/g, ""),
};

/** Longer than the last replicas of a rollout take to end. */
const settleMs = 10_000;

/** The entries of the Secret, encoded. */
const readKeys = async (cluster: Cluster): Promise<Readonly<Record<string, string>>> => {
  const [data = ""] = await inNamespace(cluster, "get", "secret/ikg-keys", "--output=jsonpath={.data}");
  return JSON.parse(data) as Record<string, string>; // of a Secret, whose entries are text
};

export const checkRotation = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const project = await makeLoadProject(environment, "rotate-keys");
  await step("load until nothing fails", () => warm(environment, project));
  const before = await readKeys(cluster);
  try {
    const during = await loadWhile(environment, project, async () => {
      for (const [name, commands] of Object.entries(steps))
        await runAsOperator(cluster, `rotate keys: ${name}`, ["-euc", commands]);
      await delay(settleMs);
    });
    const after = await readKeys(cluster);
    const rotated = Object.keys(before).filter((name) => before[name] !== after[name]);
    const wanted = (accept.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []).every((name) => rotated.includes(name));
    return verdict(
      wanted && failed(during) === 0,
      `${rotated.length} entries of the Secret rotated in three steps: ${describeLoad(during)}`,
    );
  } finally {
    for (const name of Object.keys(steps)) rmSync(inRepository(`ikg-keys.${name}.yaml`), { force: true });
    await removeLoadProject(environment, project);
  }
};

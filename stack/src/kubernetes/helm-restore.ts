/** The cluster of an installation by Helm is lost: its backup is restored by the commands of docs/operations.md. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import type { Home } from "../home.ts";
import { aptInstall } from "../system/apt.ts";
import { hasProgram } from "../system/prepare.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { checkLoss } from "../testing/suites/loss.ts";
import { environmentOf, longStarts, removeNamespaces } from "./helm-variants.ts";
import { type Cluster, kubectl } from "./kubectl.ts";
import { openRelease } from "./release.ts";
import { describeUnready, keepLogs } from "./session.ts";

export const checkHelmRestore = async (cluster: Cluster, home: Home): Promise<Counts> => {
  if (!hasProgram("jq")) await aptInstall([{ what: "jq", packages: ["jq"] }], cluster.signal);
  const release = await openRelease(cluster);
  const folder = join(home.root, "helm-restore");
  mkdirSync(folder, { recursive: true });
  const run = (...names: readonly string[]): Promise<void> => {
    const commands = names.map((name) => documentedCommands(name)).join("");
    return release.runDocumented(names.at(-1) ?? "", commands, longStarts, folder);
  };
  try {
    await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
    await step("helm install", () => release.install(longStarts));
    const environment = await environmentOf(cluster);
    return await checkLoss(environment, async () => {
      await run("the key of backups", "backup on kubernetes");
      await run("the Secrets of a backup on kubernetes");
      await keepLogs(cluster, home);
      await removeNamespaces(cluster);
      await run("the pod of a restore on kubernetes");
      await run("restore on kubernetes");
      // The first credential is part of what was restored, and works as before.
      return environment;
    });
  } catch (error) {
    await describeUnready(cluster);
    throw error;
  } finally {
    await keepLogs(cluster, home).catch((error: unknown) => say(`cannot read the logs: ${String(error)}`));
    await removeNamespaces(cluster);
  }
};

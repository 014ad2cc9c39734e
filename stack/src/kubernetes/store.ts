/** The pod of Neo4j is deleted under load: an outage, since no second server answers meanwhile. */
import { step } from "../../launch/progress.mjs";
import type { Counts } from "../testing/runner/counts.ts";
import { makeLoadProject, removeLoadProject } from "../testing/suites/load.ts";
import { countRefused, describeOutage, isConsistent, watchOutage } from "../testing/suites/outage.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import { allReady, type KubernetesSession, untilRolledOut } from "./session.ts";

const volumes = (cluster: Cluster): Promise<readonly string[]> =>
  inNamespace(cluster, "get", "pvc", "--output=jsonpath={.items[*].spec.volumeName}");

export const checkStore = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const project = await makeLoadProject(environment, "store");
  const before = await volumes(cluster);
  const outage = await step("deleting the pod of Neo4j under load", () =>
    watchOutage(environment, project, async () => {
      await inNamespace(cluster, "delete", "pod", "neo4j-0");
      await untilRolledOut(cluster, "statefulset/neo4j");
    }),
  );
  const after = await volumes(cluster);
  await allReady(cluster);
  await removeLoadProject(environment, project);
  return verdict(
    countRefused(outage) > 0 && isConsistent(outage) && before.join() === after.join(),
    `Neo4j's pod deleted under load: ${describeOutage(outage)}`,
  );
};

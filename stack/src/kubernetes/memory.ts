/** The Neo4j of overlays/local runs out of memory under load. */
import { step } from "../../launch/progress.mjs";
import type { Counts } from "../testing/runner/counts.ts";
import { describeRecovery, exhaustDatabase, hasRecovered } from "../testing/suites/memory-recovery.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import type { KubernetesSession } from "./session.ts";

/** How often its container was started again, and how it ended the last time: `1 3`. */
const restarts = async (cluster: Cluster): Promise<readonly number[]> => {
  const status = ".status.containerStatuses[0]";
  const path = `--output=jsonpath={${status}.restartCount} {${status}.lastState.terminated.exitCode}`;
  return ((await inNamespace(cluster, "get", "pod", "neo4j-0", path))[0] ?? "").trim().split(" ").map(Number);
};

export const checkMemory = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const [before = 0] = await restarts(cluster);
  const outage = await step("Neo4j runs out of memory", () => exhaustDatabase(environment));
  const [after = 0, exitCode] = await restarts(cluster);
  return verdict(
    // 3: a JVM with `ExitOnOutOfMemoryError`.
    hasRecovered(outage) && after === before + 1 && exitCode === 3,
    `Neo4j out of memory ends (exit code ${exitCode}, started again ${after - before} times) and is back, ${describeRecovery(outage)}`,
  );
};

/** What a cluster does to pods, done to ours under load. */
import { setTimeout as delay } from "node:timers/promises";
import { step } from "../../launch/progress.mjs";
import type { Counts } from "../testing/runner/counts.ts";
import { add, none } from "../testing/runner/counts.ts";
import {
  callers,
  describeLoad,
  failed,
  type Load,
  type LoadProject,
  loadWhile,
  makeLoadProject,
  removeLoadProject,
  warm,
} from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { services } from "../services/service-names.ts";
import { killProcessesOf } from "./kill.ts";
import { type Cluster, inNamespace, kubectl, tryKubectl } from "./kubectl.ts";
import { allReady, type KubernetesSession, untilRolledOut } from "./session.ts";

type Check = (passed: boolean, text: string) => void;

/** Longer than the autoscaler takes to see load, and a new replica to be ready. */
const scaleUpMs = 240_000;
/** Longer than it takes to see that load is gone, by overlays/test. */
const calmMs = 240_000;
const settleMs = 5_000;

const podsOf = async (cluster: Cluster, name: string): Promise<string[]> => {
  const selector = `--selector=app.kubernetes.io/name=${name}`;
  return [
    ...(await inNamespace(
      cluster,
      "get",
      "pods",
      selector,
      "--field-selector=status.phase=Running",
      "--output=name",
    )),
  ];
};

const readyReplicas = async (cluster: Cluster, name: string): Promise<number> => {
  const path = "--output=jsonpath={.status.readyReplicas}";
  return Number((await inNamespace(cluster, "get", `deployment/${name}`, path))[0] ?? 0);
};

const rollEach = async ({ cluster, environment }: KubernetesSession, project: LoadProject, check: Check) => {
  for (const name of services) {
    const during = await loadWhile(environment, project, async () => {
      await inNamespace(cluster, "rollout", "restart", `deployment/${name}`);
      await untilRolledOut(cluster, `deployment/${name}`);
      // The old replicas are still ending.
      await delay(settleMs * 2);
    });
    check(failed(during) === 0, `rolling update of ${name}: ${describeLoad(during)}`);
  }
};

/** Waits for a number of ready replicas of access; the number that there is at last. */
const untilReplicas = async (
  cluster: Cluster,
  wanted: (replicas: number) => boolean,
  withinMs: number,
): Promise<number> => {
  let replicas = await readyReplicas(cluster, "access");
  for (const until = performance.now() + withinMs; performance.now() < until && !wanted(replicas);) {
    await delay(settleMs);
    replicas = await readyReplicas(cluster, "access");
  }
  return replicas;
};

const scaleUp = async ({ cluster, environment }: KubernetesSession, project: LoadProject, check: Check) => {
  const least = "--output=jsonpath={.spec.minReplicas}";
  const fewest = Number((await inNamespace(cluster, "get", "hpa/access", least))[0]);
  const before = await step("no load, so that the autoscaler takes replicas away", () =>
    untilReplicas(cluster, (replicas) => replicas <= fewest, calmMs),
  );
  let after = before;
  const during = await loadWhile(environment, project, async () => {
    after = await untilReplicas(cluster, (replicas) => replicas > fewest, scaleUpMs);
    // The new one gets its share.
    await delay(settleMs * 2);
  });
  check(
    before === fewest && after > fewest && failed(during) === 0,
    `the autoscaler takes access from ${before} to ${after} replicas: ${describeLoad(during)}`,
  );
};

const drain = async ({ cluster, environment }: KubernetesSession, project: LoadProject, check: Check) => {
  const [node = ""] = await kubectl(cluster, "get", "nodes", "--output=name");
  let refused = false;
  const during = await loadWhile(environment, project, async () => {
    try {
      const { code, lines } = await tryKubectl(
        cluster,
        "drain",
        node,
        "--ignore-daemonsets",
        "--delete-emptydir-data",
        "--pod-selector=app.kubernetes.io/component=service",
        "--timeout=30s",
      );
      refused = code !== 0 && lines.some((line) => line.includes("violate the pod's disruption budget"));
    } finally {
      await kubectl(cluster, "uncordon", node);
    }
    await allReady(cluster);
  });
  check(
    refused && failed(during) === 0,
    `a drained node keeps a replica of each service: ${describeLoad(during)}`,
  );
};

/** Few requests may be under way on a replica that dies; all others are answered. */
const onlyInFlight = (during: Load): boolean => failed(during) <= callers;

const killReplica = async (
  { cluster, environment }: KubernetesSession,
  project: LoadProject,
  check: Check,
) => {
  const [pod = ""] = await podsOf(cluster, "access");
  let how = "";
  const during = await loadWhile(environment, project, async () => {
    await delay(settleMs);
    how = await killProcessesOf(cluster, pod);
    await delay(settleMs * 2);
    await allReady(cluster);
  });
  check(onlyInFlight(during), `a replica of access ${how} under ${callers} callers: ${describeLoad(during)}`);
};

export const checkResilience = async (session: KubernetesSession): Promise<Counts> => {
  const { environment } = session;
  let counts: Counts = none;
  const check: Check = (passed, text) => {
    counts = add(counts, verdict(passed, text));
  };
  const project = await makeLoadProject(environment, "resilience");
  for (const part of [rollEach, scaleUp, drain, killReplica]) {
    await step("load until nothing fails", () => warm(environment, project));
    await part(session, project, check);
  }
  await removeLoadProject(environment, project);
  return counts;
};

/** Another overlay on the running suite, and the one of tests again. */
import { setTimeout as delay } from "node:timers/promises";
import { Interrupted } from "../command.ts";
import { type Cluster, kubectl } from "./kubectl.ts";
import { allReady, applySuite, describeUnready } from "./session.ts";

/** Former replicas, which answer while they drain, have ended so long after new ones are ready. */
const drainMs = 15_000;

const untilDrained = ({ signal }: Cluster): Promise<void> =>
  delay(drainMs, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });

/** Applies a folder of kustomize, and waits until new replicas are ready and former ones have ended. */
export const applyOverlay = async (cluster: Cluster, folder: string): Promise<void> => {
  await kubectl(cluster, "apply", "--kustomize", folder);
  await allReady(cluster).catch(async (error: unknown) => {
    await describeUnready(cluster);
    throw error;
  });
  await untilDrained(cluster);
};

/** The same with the overlay of tests. */
export const restoreSuite = async (cluster: Cluster): Promise<void> => {
  await applySuite(cluster);
  await untilDrained(cluster);
};

/** Another overlay on the running suite, and the one of tests again. */
import { type Cluster, kubectl } from "./kubectl.ts";
import { allReady, applySuite, describeUnready } from "./session.ts";
import { untilDrained } from "./until-drained.ts";

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

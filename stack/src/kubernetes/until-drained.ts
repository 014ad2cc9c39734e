import { setTimeout as delay } from "node:timers/promises";
import { Interrupted } from "../command.ts";
import type { Cluster } from "./kubectl.ts";

/** Former replicas, which answer while they drain, have ended so long after new ones are ready. */
const drainMs = 15_000;

/**
 * Waits, once new replicas are ready, until former ones have ended.
 *
 * @throws Interrupted
 */
export const untilDrained = ({ signal }: Cluster): Promise<void> =>
  delay(drainMs, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });

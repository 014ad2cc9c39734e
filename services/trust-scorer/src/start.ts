import { setTimeout as wait } from "node:timers/promises";
import { watchChanges } from "@ikg/changes";
import { type Service, watchQueues } from "@ikg/service";
import { openReconciler } from "./reconciler.ts";
import { watchRuns } from "./numbers.ts";
import type { Scorer } from "./scorer.ts";
import { openWork, type WorkSettings } from "./work.ts";

export interface StartSettings extends WorkSettings {
  readonly scale: number;
  readonly houseMs: number;
}

/** How long the queue is given to hear that this process leaves; a page under way is written by then. */
const closeTimeoutMs = 8_000;

/** Starts what a scorer does by itself: schedules are kept, slots taken, ranges scored, until it is closed. */
export const startScorer = (
  scorer: Scorer,
  settings: StartSettings,
  { redis, log, metrics, tracing }: Pick<Service, "redis" | "log" | "metrics" | "tracing">,
): { close(): Promise<void> } => {
  const work = openWork(scorer, settings, { log, tracing });
  const house = openReconciler({ scorer, work, scale: settings.scale, everyMs: settings.houseMs });
  const queues = watchQueues(metrics, { trust_slots: work.slots, trust_ranges: work.ranges });
  const runs = watchRuns(scorer.records, metrics);
  const concerns = (kind: string): boolean => kind === "trust_score_profile" || kind === "project";
  const changes = watchChanges(redis, log, {
    onChange: ({ kind }) => {
      if (concerns(kind)) house.look();
    },
    onGap: () => house.look(),
  });
  return {
    close: async () => {
      await changes.close();
      const closed = Promise.allSettled([queues.close(), runs.close(), house.close(), work.close()]);
      // A Redis that is away must not keep the process: another one takes over what is not said to be over.
      await Promise.race([closed, wait(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
};

import { watchChanges } from "@ikg/announcements";
import { closeWithin } from "@ikg/queues";
import { type Service, watchQueues } from "@ikg/service";
import { openReconciler } from "./reconciler.ts";
import { watchRuns } from "./run-metrics.ts";
import type { Scorer } from "./scorer.ts";
import { openWork, type WorkSettings } from "./work.ts";

export interface StartSettings extends WorkSettings {
  readonly scale: number;
  readonly reconcileMs: number;
}

/** How long closing may take while Redis is down; the pages under way are written by then. */
const closeTimeoutMs = 8_000;

/** Starts the background work of a scorer: it keeps schedules, takes slots and scores ranges until it is closed. */
export const startScorer = (
  scorer: Scorer,
  settings: StartSettings,
  { redis, log, metrics, tracing }: Pick<Service, "redis" | "log" | "metrics" | "tracing">,
): { close(): Promise<void> } => {
  const work = openWork(scorer, settings, { log, tracing });
  const reconciler = openReconciler({ scorer, work, scale: settings.scale, everyMs: settings.reconcileMs });
  const queues = watchQueues(metrics, {
    trust_slots: { queue: work.slots },
    trust_turns: { queue: work.turns, organizations: work.organizations },
  });
  const runs = watchRuns(scorer.records, metrics);
  const isRelevant = (kind: string): boolean => kind === "trust_score_profile" || kind === "project";
  const changes = watchChanges(redis, log, {
    onChange: ({ kind }) => {
      if (isRelevant(kind)) reconciler.trigger();
    },
    onGap: () => reconciler.trigger(),
  });
  return {
    close: async () => {
      await changes.close();
      const closed = Promise.allSettled([queues.close(), runs.close(), reconciler.close(), work.close()]);
      await closeWithin(closeTimeoutMs, closed);
    },
  };
};

import type { Metrics } from "./metrics.ts";
import { sampleRepeatedly } from "./sample-repeatedly.ts";

const states = ["waiting", "active", "delayed", "failed"] as const;

/** The part of a BullMQ queue that the metrics need. */
export interface CountedQueue {
  getJobCounts(...types: (typeof states)[number][]): Promise<Readonly<Record<string, number>>>;
  getJobs(
    types: "waiting"[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<readonly ({ readonly timestamp: number } | undefined)[]>;
}

/** Looks every few seconds how long the queues are and how old their oldest job is; the same numbers for all processes. */
export const watchQueues = (
  metrics: Metrics,
  queues: Readonly<Record<string, CountedQueue>>,
): { close(): Promise<void> } => {
  const jobs = metrics.gauge("ikg_queue_jobs", "Jobs of a queue, by state.", ["queue", "state"]);
  const oldest = metrics.gauge(
    "ikg_queue_oldest_waiting_seconds",
    "How long the longest-waiting job has waited.",
    ["queue"],
  );
  return sampleRepeatedly(async () => {
    for (const [name, queue] of Object.entries(queues)) {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) jobs.set({ queue: name, state }, counts[state] ?? 0);
      const [first] = await queue.getJobs(["waiting"], 0, 0, true);
      oldest.set({ queue: name }, first === undefined ? 0 : (Date.now() - first.timestamp) / 1000);
    }
  });
};

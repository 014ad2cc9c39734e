import type { Metrics } from "./metrics.ts";
import { sampleRepeatedly } from "./sample-repeatedly.ts";

const states = ["waiting", "prioritized", "active", "delayed", "failed"] as const;

/** The part of a BullMQ queue that the metrics need. */
export interface CountedQueue {
  getJobCounts(...types: (typeof states)[number][]): Promise<Readonly<Record<string, number>>>;
  getJobs(
    types: "waiting"[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<readonly (CountedJob | undefined)[]>;
}

/** A job; its times in milliseconds since the epoch. */
interface CountedJob {
  /** When it was added. */
  readonly timestamp: number;
  /** When a worker began with it last; absent before the first time. */
  readonly processedOn?: number | undefined;
}

/** A queue with metrics. */
export interface WatchedQueue {
  readonly queue: CountedQueue;
  /** Present where organizations take turns: the longest time that one has waited since its last turn, in milliseconds. */
  readonly organizations?: { longestWaitMs(): Promise<number> };
}

/** Milliseconds that the next job has waited since it was added, or since a worker began with it last. */
const nextJobWaitMs = async (queue: CountedQueue): Promise<number> => {
  const [next] = await queue.getJobs(["waiting"], 0, 0, true);
  return next === undefined ? 0 : Date.now() - (next.processedOn ?? next.timestamp);
};

/** Looks every few seconds how many jobs the queues have, and how long work in them has waited. */
export const watchQueues = (
  metrics: Metrics,
  queues: Readonly<Record<string, WatchedQueue>>,
): { close(): Promise<void> } => {
  const jobs = metrics.gauge("ikg_queue_jobs", "Jobs of a queue, by state.", ["queue", "state"]);
  const oldest = metrics.gauge(
    "ikg_queue_oldest_waiting_seconds",
    "The longest time that an organization with waiting jobs has had no turn, as far as this process has seen; in a queue without turns, how long the next job has waited for a worker.",
    ["queue"],
  );
  return sampleRepeatedly(async () => {
    for (const [name, { queue, organizations }] of Object.entries(queues)) {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) jobs.set({ queue: name, state }, counts[state] ?? 0);
      const waitMs = await (organizations?.longestWaitMs() ?? nextJobWaitMs(queue));
      oldest.set({ queue: name }, Math.max(0, waitMs) / 1000);
    }
  });
};

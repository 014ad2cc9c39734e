import type { Metrics } from "./metrics.ts";
import { sampleRepeatedly } from "./sample-repeatedly.ts";

const states = ["waiting", "prioritized", "active", "delayed", "failed"] as const;

/** The part of a BullMQ queue that the metrics need. */
export interface CountedQueue {
  getJobCounts(...types: (typeof states)[number][]): Promise<Readonly<Record<string, number>>>;
  /** @param before counts only the jobs that are due before this moment, in milliseconds since the epoch. */
  getDelayedCount(before: number): Promise<number>;
  /** Jobs of one list after the other. @param end index of the last one of each list */
  getJobs(
    types: ("waiting" | "delayed")[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<readonly CountedJob[]>;
}

/** A job; its times in milliseconds, moments since the epoch. */
interface CountedJob {
  /** When it was added. */
  readonly timestamp: number;
  /** When a worker began with it last; absent before the first time. */
  readonly processedOn?: number | undefined;
  /** `delay`: how long after it was added it was due. */
  readonly opts: { readonly delay?: number | undefined };
}

/** A queue with metrics. */
export interface WatchedQueue {
  readonly queue: CountedQueue;
  /** Present where organizations take turns: the longest time that one with waiting jobs has had no turn, in milliseconds. */
  readonly organizations?: { longestWaitMs(): Promise<number> };
}

/** Milliseconds that a job has waited since it was due, or since a worker began with it last. */
const waitMsOf = ({ timestamp, processedOn, opts: { delay = 0 } }: CountedJob): number =>
  Date.now() - (processedOn ?? timestamp + delay);

/** The wait of the next job. A delayed one that is due counts: only a worker that looks for a job moves it to those that wait. */
const nextJobWaitMs = async (queue: CountedQueue): Promise<number> => {
  const hasDue = (await queue.getDelayedCount(Date.now())) > 0;
  const jobs = await queue.getJobs(hasDue ? ["waiting", "delayed"] : ["waiting"], 0, 0, true);
  return Math.max(0, ...jobs.map(waitMsOf));
};

/** Looks every few seconds how many jobs the queues have, and how long work in them has waited. */
export const watchQueues = (
  metrics: Metrics,
  queues: Readonly<Record<string, WatchedQueue>>,
): { close(): Promise<void> } => {
  const jobs = metrics.gauge("ikg_queue_jobs", "Jobs of a queue, by state.", ["queue", "state"]);
  const oldest = metrics.gauge(
    "ikg_queue_oldest_waiting_seconds",
    "The longest time that an organization with waiting jobs has had no turn; in a queue without turns, how long the next job has waited for a worker.",
    ["queue"],
  );
  return sampleRepeatedly(async () => {
    for (const [name, { queue, organizations }] of Object.entries(queues)) {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) jobs.set({ queue: name, state }, counts[state] ?? 0);
      const waitMs = await (organizations?.longestWaitMs() ?? nextJobWaitMs(queue));
      oldest.set({ queue: name }, waitMs / 1000);
    }
  });
};

import type { Metrics } from "./metrics.ts";
import { sampleRepeatedly } from "./sample-repeatedly.ts";

const states = ["waiting", "prioritized", "active", "delayed", "failed"] as const;

/** The part of a BullMQ queue that the metrics need. */
export interface CountedQueue {
  getJobCounts(...types: (typeof states)[number][]): Promise<Readonly<Record<string, number>>>;
  getJobs(
    types: ("waiting" | "prioritized")[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<readonly (CountedJob | undefined)[]>;
}

/** A job; its times in milliseconds since the epoch. */
interface CountedJob {
  /** BullMQ begins with the lowest number. */
  readonly priority: number;
  /** When it was added. */
  readonly timestamp: number;
  /** When a worker began with it last; absent before the first time. */
  readonly processedOn?: number | undefined;
}

/** Milliseconds that a job has waited. A job that takes turns lives as long as it has work: its age says nothing. */
const waitMs = ({ timestamp, processedOn = timestamp }: CountedJob): number => Date.now() - processedOn;

/** The first job of the wait list, and the first one of those with a priority. */
const firstJobs = async (queue: CountedQueue): Promise<readonly CountedJob[]> => {
  const lists = await Promise.all([
    queue.getJobs(["waiting"], 0, 0, true),
    queue.getJobs(["prioritized"], 0, 0, true),
  ]);
  return lists.flatMap(([first]) => first ?? []);
};

/**
 * Looks every few seconds how many jobs the queues have and how long the next one has waited since a worker had it last; the same
 * numbers for all processes.
 *
 * @param lastPriority jobs with a higher number may wait for any time: they are for workers that have nothing else to do.
 */
export const watchQueues = (
  metrics: Metrics,
  queues: Readonly<Record<string, CountedQueue>>,
  lastPriority: number,
): { close(): Promise<void> } => {
  const jobs = metrics.gauge("ikg_queue_jobs", "Jobs of a queue, by state.", ["queue", "state"]);
  const oldest = metrics.gauge(
    "ikg_queue_oldest_waiting_seconds",
    "How long the next waiting job has waited since it was added, or since its former turn began; the older one of the first job of the wait list and the first one with a priority, but for spare work.",
    ["queue"],
  );
  return sampleRepeatedly(async () => {
    for (const [name, queue] of Object.entries(queues)) {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) jobs.set({ queue: name, state }, counts[state] ?? 0);
      const next = (await firstJobs(queue)).filter(({ priority }) => priority <= lastPriority);
      oldest.set({ queue: name }, Math.max(0, ...next.map(waitMs)) / 1000);
    }
  });
};

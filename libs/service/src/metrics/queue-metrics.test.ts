import { expect, it } from "@jest/globals";
import { openMetrics } from "./metrics.ts";
import { type CountedQueue, type WatchedQueue, watchQueues } from "./queue-metrics.ts";

const minuteMs = 60_000;

interface TestJob {
  readonly timestamp: number;
  readonly processedOn?: number;
  readonly opts: { readonly delay?: number };
}

/** The first jobs of a queue; `delayed` ones that are due. */
interface FirstJobs {
  readonly waiting?: TestJob;
  readonly delayed?: TestJob;
}

/** The metrics of a queue with these jobs. */
const metricsOf = async (jobs: FirstJobs, organizations?: WatchedQueue["organizations"]): Promise<string> => {
  const metrics = openMetrics("capture", 1);
  const counts = { waiting: 1, prioritized: 3, active: 2, delayed: 0, failed: 0 };
  const queue: CountedQueue = {
    getJobCounts: async () => counts,
    getDelayedCount: async () => (jobs.delayed === undefined ? 0 : 1),
    getJobs: async (types) => types.flatMap((type) => jobs[type] ?? []),
  };
  const watched: WatchedQueue = { queue, ...(organizations === undefined ? {} : { organizations }) };
  await watchQueues(metrics, { imports: watched }).close();
  return metrics.registry.metrics();
};

const secondsIn = (text: string): number =>
  Number(/^ikg_queue_oldest_waiting_seconds\{.*\} (\S+)$/m.exec(text)?.[1]);

it("the jobs of a queue are counted by state, also those of a lower priority", async () => {
  const text = await metricsOf({});
  expect(text).toMatch(/^ikg_queue_jobs\{.*state="waiting".*\} 1$/m);
  expect(text).toMatch(/^ikg_queue_jobs\{.*state="prioritized".*\} 3$/m);
  expect(secondsIn(text)).toBe(0);
});

it("the next job has waited since it was added, or since a worker began with it last", async () => {
  const timestamp = Date.now() - 60 * minuteMs;
  const added = secondsIn(await metricsOf({ waiting: { timestamp, opts: {} } }));
  expect(added).toBeGreaterThanOrEqual(3_600);
  expect(added).toBeLessThan(3_660);
  const processedOn = Date.now() - minuteMs;
  const since = secondsIn(await metricsOf({ waiting: { timestamp, processedOn, opts: {} } }));
  expect(since).toBeGreaterThanOrEqual(60);
  expect(since).toBeLessThan(120);
});

it("a delayed job that no worker has looked for has waited since it was due", async () => {
  const timestamp = Date.now() - 60 * minuteMs;
  const delayed = { timestamp, opts: { delay: 58 * minuteMs } };
  const since = secondsIn(await metricsOf({ waiting: { timestamp: Date.now(), opts: {} }, delayed }));
  expect(since).toBeGreaterThanOrEqual(120);
  expect(since).toBeLessThan(180);
});

it("where organizations take turns, the wait of one counts, and not that of a job", async () => {
  const waiting = { timestamp: Date.now() - 60 * minuteMs, opts: {} };
  const text = await metricsOf({ waiting }, { longestWaitMs: async () => 2 * minuteMs });
  expect(secondsIn(text)).toBe(120);
});

import { expect, it } from "@jest/globals";
import { openMetrics } from "./metrics.ts";
import { type CountedQueue, watchQueues } from "./queue-metrics.ts";

const minuteMs = 60_000;

/** Jobs with a higher number are spare work. */
const lastPriority = 1;

interface TestJob {
  readonly timestamp: number;
  readonly processedOn?: number;
  readonly priority?: number;
}

/** The metrics of a queue whose first jobs, by list, have these times. */
const metricsOf = async (
  first: Partial<Readonly<Record<"waiting" | "prioritized", TestJob>>>,
): Promise<string> => {
  const metrics = openMetrics("capture", 1);
  const counts = { waiting: 1, prioritized: 3, active: 2, delayed: 0, failed: 0 };
  const queue: CountedQueue = {
    getJobCounts: async () => counts,
    getJobs: async (types) =>
      types.map((type) => {
        const job = first[type];
        return job === undefined ? undefined : { priority: 0, ...job };
      }),
  };
  await watchQueues(metrics, { imports: queue }, lastPriority).close();
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

it("a job has waited since it was added, and one that takes turns since its former turn", async () => {
  const timestamp = Date.now() - 60 * minuteMs;
  const added = secondsIn(await metricsOf({ waiting: { timestamp } }));
  expect(added).toBeGreaterThanOrEqual(3_600);
  expect(added).toBeLessThan(3_660);
  const processedOn = Date.now() - minuteMs;
  const since = secondsIn(await metricsOf({ waiting: { timestamp, processedOn } }));
  expect(since).toBeGreaterThanOrEqual(60);
  expect(since).toBeLessThan(120);
});

/** Minutes that the next job has waited, where the first jobs of both lists have waited for these. */
const minutesOf = async (waiting: number, prioritized: number, priority: number): Promise<number> => {
  const since = (minutes: number): TestJob => ({ timestamp: Date.now() - minutes * minuteMs });
  const text = await metricsOf({
    waiting: since(waiting),
    prioritized: { ...since(prioritized), priority },
  });
  return Math.floor(secondsIn(text) / 60);
};

it("the older one counts of the next job and the first one behind it", async () => {
  expect(await minutesOf(1, 20, lastPriority)).toBe(20);
  expect(await minutesOf(20, 1, lastPriority)).toBe(20);
  const timestamp = Date.now() - 20 * minuteMs;
  const behindAlone = await metricsOf({ prioritized: { timestamp, priority: lastPriority } });
  expect(secondsIn(behindAlone)).toBeGreaterThanOrEqual(1_200);
});

it("spare work may wait for any time", async () => {
  expect(await minutesOf(1, 20, lastPriority + 1)).toBe(1);
});

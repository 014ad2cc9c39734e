import { expect, it } from "@jest/globals";
import { openMetrics } from "./metrics.ts";
import { watchQueues } from "./queue-metrics.ts";

const minuteMs = 60_000;

/** The metrics of a queue whose next job has these times. */
const metricsOf = async (job: { timestamp: number; processedOn?: number } | undefined): Promise<string> => {
  const metrics = openMetrics("capture", 1);
  const counts = { waiting: 1, prioritized: 3, active: 2, delayed: 0, failed: 0 };
  const queue = { getJobCounts: async () => counts, getJobs: async () => [job] };
  await watchQueues(metrics, { imports: queue }).close();
  return metrics.registry.metrics();
};

const secondsIn = (text: string): number =>
  Number(/^ikg_queue_oldest_waiting_seconds\{.*\} (\S+)$/m.exec(text)?.[1]);

it("the jobs of a queue are counted by state, also those of a lower priority", async () => {
  const text = await metricsOf(undefined);
  expect(text).toMatch(/^ikg_queue_jobs\{.*state="waiting".*\} 1$/m);
  expect(text).toMatch(/^ikg_queue_jobs\{.*state="prioritized".*\} 3$/m);
  expect(secondsIn(text)).toBe(0);
});

it("a job has waited since it was added, and one that takes turns since its former turn", async () => {
  const timestamp = Date.now() - 60 * minuteMs;
  const added = secondsIn(await metricsOf({ timestamp }));
  expect(added).toBeGreaterThanOrEqual(3_600);
  expect(added).toBeLessThan(3_660);
  const since = secondsIn(await metricsOf({ timestamp, processedOn: Date.now() - minuteMs }));
  expect(since).toBeGreaterThanOrEqual(60);
  expect(since).toBeLessThan(120);
});

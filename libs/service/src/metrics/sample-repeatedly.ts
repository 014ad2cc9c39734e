import { createPeriodicTask, type PeriodicTask } from "@ikg/concurrency";

const everyMs = 10_000;

/**
 * Samples gauges that need a store every 10 s, so that a scrape never waits for it. Failures are ignored: the store's own
 * checks report them.
 */
export const sampleRepeatedly = (sample: () => Promise<void>): Pick<PeriodicTask, "close"> => {
  const task = createPeriodicTask({ run: sample, everyMs, onFailure: () => undefined });
  task.start();
  return task;
};

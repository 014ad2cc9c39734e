import { createPeriodicTask, type PeriodicTask } from "@ikg/concurrency";

const everyMs = 10_000;

/**
 * Looks every few seconds, at once for the first time, for gauges that need a store: a scrape must not wait for one that is
 * unreachable. A look that fails is left out: what is away is reported by those who need it.
 */
export const repeatedLook = (look: () => Promise<void>): Pick<PeriodicTask, "close"> => {
  const task = createPeriodicTask({ run: look, everyMs, onFailure: () => undefined });
  task.start();
  return task;
};

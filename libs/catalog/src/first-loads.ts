import { Problem } from "@ikg/contracts";

/** Loads of projects that are not known here, at one time: unknown names do not fill the connection pool. */
const atOnce = 8;
const maxWaiting = 1_000;

/**
 * Runs loads of ids that no project may have, a few at one time, in the order in which they come.
 *
 * @throws Problem `unavailable` (503) when too many wait.
 */
export const firstLoads = (): (<T>(load: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (load) => {
    if (running < atOnce) running++;
    else if (waiting.length >= maxWaiting)
      throw new Problem("unavailable", {
        errors: [`loads of unknown projects: queue full, at most ${maxWaiting} may wait; retry later`],
        headers: { "Retry-After": "1" },
      });
    // The place of the one that ends goes to the next.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await load();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
};

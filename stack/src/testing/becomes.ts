import { setTimeout as delay } from "node:timers/promises";

const pollMs = 250;

/** True as soon as it holds; false where it does not within the time. */
export const becomes = async (holds: () => Promise<boolean>, withinMs: number): Promise<boolean> => {
  for (const until = performance.now() + withinMs; !(await holds()); await delay(pollMs))
    if (performance.now() > until) return false;
  return true;
};

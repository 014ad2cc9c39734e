import { setTimeout as delay } from "node:timers/promises";
import { Interrupted } from "../command.ts";

const pollMs = 250;

/**
 * Polls a condition for checks of a deployment, which report a verdict and can be interrupted. Tests use `eventually`,
 * which throws.
 *
 * @returns true as soon as it holds; false where it does not within the time
 * @throws Interrupted where the signal is aborted
 */
export const waitUntil = async (
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  for (const until = performance.now() + withinMs; !(await condition()); await delay(pollMs)) {
    if (signal?.aborted) throw new Interrupted();
    if (performance.now() > until) return false;
  }
  return true;
};

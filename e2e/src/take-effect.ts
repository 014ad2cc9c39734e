import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

/** Every running process has followed a change of configuration after this time. */
export const takesEffectWithinMs = 2_000;

/**
 * Lets a saved record reach the running processes. It may take them up to 2 s; on an idle machine it takes a few
 * milliseconds, on a busy one as many times longer as tasks wait for each processor. Tests that are about this time use
 * `eventually`, which by default waits as long.
 */
export const takeEffect = (): Promise<void> => {
  const [load = 1] = loadavg();
  const waiting = Math.max(1, load / availableParallelism());
  return pause(Math.min(100 * waiting, takesEffectWithinMs));
};

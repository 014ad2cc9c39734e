import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

/** Every running process has followed a change of configuration after this time. */
export const takesEffectWithinMs = 2_000;

/**
 * Repeats a call until its result is as expected, by default for at most 2 s.
 *
 * @throws Error with the last answer
 */
export const eventually = async <T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  { withinMs = takesEffectWithinMs, everyMs = 25 } = {},
): Promise<T> => {
  const until = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > until)
      throw new Error(`not so within ${withinMs} ms, last answer: ${JSON.stringify(answer).slice(0, 1_000)}`);
    await pause(everyMs);
  }
};

/**
 * Lets a saved record reach the running processes. It may take them up to 2 s; on an idle machine it takes a few
 * milliseconds, on a busy one as many times longer as tasks wait for each processor. Tests that are about this time use
 * `eventually`.
 */
export const takeEffect = (): Promise<void> => {
  const [load = 1] = loadavg();
  const waiting = Math.max(1, load / availableParallelism());
  return pause(Math.min(100 * waiting, takesEffectWithinMs));
};

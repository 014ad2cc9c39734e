import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "../requests/send.ts";

/** A caller that is refused asks again after so long, in milliseconds: the load is of what is accepted. */
const restMs = 50;

/**
 * Several callers repeat a request, each after its former answer, for a while.
 *
 * @param forMs milliseconds after which no request begins any more
 * @returns all answers
 */
export const repeatRequests = async (
  callers: number,
  forMs: number,
  ask: () => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const until = performance.now() + forMs;
  const answers: Answer[] = [];
  const repeat = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await ask();
      answers.push(answer);
      if (answer.status >= 400) await pause(restMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, () => repeat()));
  return answers;
};

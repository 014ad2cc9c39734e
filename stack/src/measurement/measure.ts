/** Callers that each send the next question as soon as they have the answer to the last one. */
import type { Round } from "./statistics.ts";

/** One question by one way; what comes back is compared with what is known to be right. */
export type Ask<Q> = (question: Q) => Promise<boolean>;

export interface Questions<Q> {
  next(): Q;
}

/** Asks the questions of a list over and over. */
export const inTurn = <Q>(list: readonly Q[]): Questions<Q> => {
  let at = 0;
  return {
    next: () => {
      const question = list[at++ % list.length];
      if (question === undefined) throw new Error("no question to ask");
      return question;
    },
  };
};

/**
 * Runs `callers` callers for `ms` milliseconds.
 *
 * @throws Error when an answer is wrong: a fast wrong answer is worth nothing
 */
export const run = async <Q extends { readonly expected: boolean }>(
  ask: Ask<Q>,
  questions: Questions<Q>,
  callers: number,
  ms: number,
): Promise<Round> => {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + ms;
  const caller = async (): Promise<void> => {
    let before = performance.now();
    while (before < end) {
      const question = questions.next();
      const answer = await ask(question);
      const now = performance.now();
      latencies.push(now - before);
      before = now;
      if (answer !== question.expected)
        throw new Error(`wrong answer: ${JSON.stringify(question)} was answered ${String(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { latencies: Float64Array.from(latencies), elapsed: performance.now() - started };
};

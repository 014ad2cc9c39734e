import { setTimeout as pause } from "node:timers/promises";

/** What became of one request. */
export interface Outcome {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** False for an answer of 200 that is not the expected one. */
  readonly correct: boolean;
  /** Milliseconds from the moment at which the request was due, so that a backlog counts. */
  readonly latency: number;
}

export type Ask = (number: number) => Promise<Pick<Outcome, "status" | "correct">>;

/** Requests of one loop without an answer; beyond them the loop would no longer measure the suite. */
const mostPending = 500;

/**
 * Sends requests at a fixed rate, whether or not earlier ones are answered, until `stop`.
 *
 * @returns the outcomes, when every request has one
 */
export const runOpenLoop = async (
  perSecond: number,
  ask: Ask,
  stop: AbortSignal,
): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  const pending = new Set<Promise<void>>();
  const began = performance.now();
  for (let number = 0; ; number++) {
    const due = began + (number * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    if (stop.aborted) break;
    if (pending.size >= mostPending) throw new Error(`${mostPending} requests wait for their answers`);
    const request: Promise<void> = ask(number)
      .catch(() => ({ status: undefined, correct: false }))
      .then((answer) => {
        outcomes.push({ ...answer, latency: performance.now() - due });
        pending.delete(request);
      });
    pending.add(request);
  }
  await Promise.all(pending);
  return outcomes;
};

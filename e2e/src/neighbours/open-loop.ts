import { sendAtRate } from "../../../stack/src/measurement/send-at-rate.ts";

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
  await sendAtRate(
    perSecond,
    () => stop.aborted,
    (number, due) => {
      if (number - outcomes.length >= mostPending)
        throw new Error(`${mostPending} requests wait for their answers`);
      return ask(number)
        .catch(() => ({ status: undefined, correct: false }))
        .then((answer) => void outcomes.push({ ...answer, latency: performance.now() - due }));
    },
  );
  return outcomes;
};

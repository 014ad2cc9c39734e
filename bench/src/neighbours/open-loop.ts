/** What becomes of requests at a fixed rate. */
import { sendAtRate } from "../../../stack/src/measurement/send-at-rate.ts";

export interface Outcomes {
  /** Milliseconds of each right answer, from the moment at which its request was due. */
  readonly latencies: number[];
  /** Answers that are not what is known to be right. */
  wrong: number;
  /** Requests without a successful answer, by status; `none` where no answer came. */
  readonly missing: Map<string, number>;
}

/** True: right; false: wrong; a text: what came instead of an answer. */
export type Ask = (number: number) => Promise<boolean | string>;

export const noOutcomes = (): Outcomes => ({ latencies: [], wrong: 0, missing: new Map() });

/** Adds the second to the first. */
export const addOutcomes = (sum: Outcomes, more: Outcomes): void => {
  sum.latencies.push(...more.latencies);
  sum.wrong += more.wrong;
  for (const [status, count] of more.missing) sum.missing.set(status, (sum.missing.get(status) ?? 0) + count);
};

/** Sends `perSecond` requests for `ms` milliseconds, and awaits every answer. @param from number of the first request */
export const runOpenLoop = async (ask: Ask, perSecond: number, ms: number, from = 0): Promise<Outcomes> => {
  const outcomes = noOutcomes();
  const count = Math.floor((ms / 1_000) * perSecond);
  await sendAtRate(
    perSecond,
    (number) => number >= count,
    async (number, due) => {
      const answer = await ask(from + number).catch(() => "none");
      if (answer === true) outcomes.latencies.push(performance.now() - due);
      else if (answer === false) outcomes.wrong += 1;
      else outcomes.missing.set(answer, (outcomes.missing.get(answer) ?? 0) + 1);
    },
  );
  return outcomes;
};

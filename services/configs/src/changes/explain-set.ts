import { withTimeout } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { DataFault, type Transaction } from "@ikg/graph";
import type { Trial } from "../records/collection.ts";
import { planStatement, type TrialPlans } from "../records/plan-statement.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { statementOptions } from "../records/store.ts";
import type { ValidatedChange } from "./validate-put.ts";

interface PlacedTrial extends Trial {
  readonly index: number;
}

/** Statements of equal text are planned once, and those that were planned before are not planned again. */
const trialsOf = (validated: readonly ValidatedChange[], { planned }: TrialPlans): readonly PlacedTrial[] => {
  const seen = new Set<string>();
  return validated.flatMap(({ trials = [] }, index) =>
    trials.flatMap((trial) => {
      if (seen.has(trial.text) || planned.has(trial.text)) return [];
      seen.add(trial.text);
      return [{ ...trial, index }];
    }),
  );
};

const isRefused = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "unprocessable";

/** Statements that are sent together: a round trip for each would take longer than planning it. */
const flight = 20;

/**
 * Lets the database plan statements in one flight. It plans one after the other, so that each has its own time.
 *
 * @returns how many were planned before the first one that the database refuses or does not plan in time, which is validated by itself.
 */
const planFlight = async (
  tx: Transaction,
  trials: readonly PlacedTrial[],
  { statementMs, sent, planned }: TrialPlans,
): Promise<number> => {
  const runs = trials.map(({ text }) => ({ text, run: tx.run(`EXPLAIN ${text}`, {}) }));
  sent.push(Promise.allSettled(runs.map(({ run }) => run)));
  const late = new Error("the statement is not planned in time");
  for (const [index, { text, run }] of runs.entries()) {
    try {
      await withTimeout(run, statementMs, () => late);
      planned.add(text);
    } catch (error) {
      // Those after it fail with it.
      if (error !== late && !(error instanceof DataFault)) throw error;
      return index;
    }
  }
  return trials.length;
};

/**
 * Plans the remaining statements, each in a transaction of its own: a refused statement ends its transaction. The request has its
 * turn at the database already and does not wait for a second one.
 */
const planAlone = async (
  store: Store,
  trials: readonly PlacedTrial[],
  plans: TrialPlans,
  caller: CallerContext,
): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const { index, ...trial } of trials) {
    try {
      const options = statementOptions(caller);
      await store.graph.shared.write((tx) => planStatement(tx, trial, plans), options);
    } catch (error) {
      if (!isRefused(error)) throw error;
      for (const each of error.errors) errors.push(`changes[${index}].${each}`);
    }
  }
  return [...new Set(errors)];
};

/**
 * Lets the database plan every statement of a set; everything that it refuses is reported together.
 *
 * @throws Problem `unprocessable`.
 */
export const explainSet = async (
  tx: Transaction,
  store: Store,
  validated: readonly ValidatedChange[],
  plans: TrialPlans,
  caller: CallerContext,
): Promise<void> => {
  const trials = trialsOf(validated, plans);
  for (let at = 0; at < trials.length; at += flight) {
    const some = trials.slice(at, at + flight);
    const planned = await planFlight(tx, some, plans);
    if (planned === some.length) continue;
    const errors = await planAlone(store, trials.slice(at + planned), plans, caller);
    if (errors.length > 0) throw new Problem("unprocessable", { errors });
    throw new Problem("unavailable", {
      headers: { "Retry-After": "5" },
      errors: ["changes: the database did not plan all statements in time; send the request again"],
    });
  }
};

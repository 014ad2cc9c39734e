import { Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { Trial } from "../collections/collection.ts";
import { tryOut, type TrialPlans } from "../records/examine.ts";
import type { Asker, Store } from "../records/store.ts";
import { statementOptions } from "../records/store.ts";
import type { JudgedChange } from "./judge-put.ts";

interface PlacedTrial extends Trial {
  readonly index: number;
}

/** Statements of equal text are planned once. */
const trialsOf = (judged: readonly JudgedChange[]): readonly PlacedTrial[] => {
  const seen = new Set<string>();
  return judged.flatMap(({ trials = [] }, index) =>
    trials.flatMap((trial) => {
      if (seen.has(trial.text)) return [];
      seen.add(trial.text);
      return [{ ...trial, index }];
    }),
  );
};

const isRefused = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "unprocessable";

/**
 * Lets the database plan every statement of a set. A refusal ends the transaction, so what comes after it is planned in
 * others: all that is refused is told together.
 *
 * @throws Problem `unprocessable`.
 */
export const planSet = async (
  tx: Transaction,
  store: Store,
  judged: readonly JudgedChange[],
  plans: TrialPlans,
  asker: Asker,
): Promise<void> => {
  const errors: string[] = [];
  let ended = false;
  for (const { index, ...trial } of trialsOf(judged)) {
    try {
      if (ended) await store.database.write((own) => tryOut(own, trial, plans), statementOptions(asker));
      else await tryOut(tx, trial, plans);
    } catch (error) {
      if (!isRefused(error)) throw error;
      ended = true;
      for (const each of error.errors) errors.push(`changes[${index}].${each}`);
    }
  }
  if (errors.length > 0) throw new Problem("unprocessable", { errors: [...new Set(errors)] });
};

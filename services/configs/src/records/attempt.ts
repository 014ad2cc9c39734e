import { Problem } from "@ikg/contracts";
import { isConstraintViolation, StatementTimeout, type Transaction } from "@ikg/graph";
import type { Planning } from "./examine.ts";
import { type Asker, settled, statementOptions, type Store } from "./store.ts";

/** One that takes less was cut by what stood before it or by a busy database, and may be tried again. */
const slowPlanningMs = 10_000;

const isSlow = ({ since }: NonNullable<Planning["trial"]>): boolean =>
  performance.now() - since >= slowPlanningMs;

/**
 * Does in one transaction what judges a body and may write a record.
 *
 * @throws Problem what `work` throws; `unprocessable` for a text that the database plans for too long; `conflict` for a
 *   key that another transaction took meanwhile and that a second look does not name.
 */
export const attempt = <T>(
  store: Store,
  asker: Asker,
  work: (tx: Transaction, planning: Planning) => Promise<T>,
): Promise<T> => {
  const planning: Planning = { trial: undefined };
  const once = (): Promise<T> => store.database.write((tx) => work(tx, planning), statementOptions(asker));
  return settled(async () => {
    try {
      return await once();
    } catch (error) {
      // A text that is planned for so long would hold up every process that meets it first.
      if (error instanceof StatementTimeout && planning.trial !== undefined && isSlow(planning.trial))
        throw new Problem("unprocessable", { errors: [`${planning.trial.fault} in time`], cause: error });
      if (!isConstraintViolation(error)) throw error;
      // Another transaction took the key after we looked. It has committed, so a second look says which key.
      return once().catch((again: unknown) => {
        throw isConstraintViolation(again) ? new Problem("conflict", { cause: again }) : again;
      });
    }
  });
};

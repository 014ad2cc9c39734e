import { Problem } from "@ikg/contracts";
import { isConstraintViolation, type Transaction } from "@ikg/graph";
import type { Collection } from "./collection.ts";
import type { TrialPlans } from "./examine.ts";
import { type CallerContext, settled, statementOptions, type Store } from "./store.ts";

/**
 * Does in one transaction what judges a body and may write a record. A body whose statements the database plans waits for its
 * turn first, and keeps it until the database is done with them.
 *
 * @throws Problem what `work` throws; `too_many_requests` (429) and `unavailable` (503) where too much is planned already;
 *   `conflict` for a key that another transaction took meanwhile and that a second look does not name.
 */
export const attempt = async <T>(
  store: Store,
  { trials }: Pick<Collection, "trials">,
  caller: CallerContext,
  work: (tx: Transaction, plans: TrialPlans) => Promise<T>,
): Promise<T> => {
  const plans: TrialPlans = { statementMs: store.planning.limits.statementMs, current: undefined };
  const once = (): Promise<T> => store.database.write((tx) => work(tx, plans), statementOptions(caller));
  const turn =
    trials === undefined ? undefined : await store.planning.enter(caller.organizationId, caller.signal);
  try {
    return await settled(async () => {
      try {
        return await once();
      } catch (error) {
        if (!isConstraintViolation(error)) throw error;
        // Another transaction took the key after we looked. It has committed, so a second look says which key.
        return once().catch((again: unknown) => {
          throw isConstraintViolation(again) ? new Problem("conflict", { cause: again }) : again;
        });
      }
    });
  } finally {
    // The statement that was given up may still be planned.
    void Promise.allSettled([plans.current]).then(() => turn?.release());
  }
};

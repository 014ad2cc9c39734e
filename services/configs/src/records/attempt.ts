import { Problem } from "@ikg/contracts";
import { isConstraintViolation, type Transaction, withTimeoutAsUnavailable } from "@ikg/graph";
import type { Collection } from "./collection.ts";
import type { TrialPlans } from "./plan-statement.ts";
import { type CallerContext, statementOptions, type Store } from "./store.ts";

/**
 * Validates a body, and may write a record, in one transaction. A body whose statements the database plans waits for a
 * planning slot first, and holds it until the database is done with them.
 *
 * @throws Problem what `work` throws; `too_many_requests` (429) and `unavailable` (503) where too many statements are being planned;
 *   `conflict` for a key that another transaction took meanwhile, when a second attempt does not find out which.
 */
export const attempt = async <T>(
  store: Store,
  { trials }: Pick<Collection, "trials">,
  caller: CallerContext,
  work: (tx: Transaction, plans: TrialPlans) => Promise<T>,
): Promise<T> => {
  const { limits, plannedOf } = store.planning;
  const plans: TrialPlans = {
    statementMs: limits.statementMs,
    sent: [],
    planned: plannedOf(caller.organizationId),
  };
  const once = (): Promise<T> =>
    store.databaseOf(caller).write((tx) => work(tx, plans), statementOptions(caller));
  const slot =
    trials === undefined ? undefined : await store.planning.enter(caller.organizationId, caller.signal);
  try {
    return await withTimeoutAsUnavailable(async () => {
      try {
        return await once();
      } catch (error) {
        if (!isConstraintViolation(error)) throw error;
        // Another transaction took the key after the check and has committed, so a second attempt reports which key.
        return once().catch((again: unknown) => {
          throw isConstraintViolation(again) ? new Problem("conflict", { cause: again }) : again;
        });
      }
    });
  } finally {
    // After a timeout the database may still be planning statements.
    void Promise.allSettled(plans.sent).then(() => slot?.release());
  }
};

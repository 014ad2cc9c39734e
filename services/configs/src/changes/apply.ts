import type { AppliedChanges } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { kindOf } from "../history/kinds.ts";
import { attempt } from "../records/attempt.ts";
import type { TrialPlans } from "../records/plan-statement.ts";
import type { StoredRecord } from "../records/record.ts";
import { deleteRecords } from "../records/remove.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { TransitionWriter, Transition } from "../records/transition.ts";
import { countUsage } from "../records/usage.ts";
import { checkExpected } from "./conflicts.ts";
import { lockCurrent } from "./current-records.ts";
import type { ValidatedChange } from "./validate-put.ts";
import { validateChangeSet } from "./validate-change-set.ts";
import { explainSet } from "./explain-set.ts";
import type { PlannedChange, PlannedSet } from "./planned-change.ts";

/** The result of applying a change set, or of a dry run, in the order of its changes. */
export interface AppliedSet {
  readonly transitions: readonly Transition[];
  readonly unchanged: readonly StoredRecord[];
  readonly warnings: AppliedChanges["warnings"];
}

/** Rolls the transaction of a dry run back, with the result that it would have had. */
class ChangeSetRollback extends Error {
  override readonly name = "ChangeSetRollback";
  readonly applied: AppliedSet;

  constructor(applied: AppliedSet) {
    super("the transaction is rolled back on purpose");
    this.applied = applied;
  }
}

const isDeletion = ({ transition }: ValidatedChange): boolean => transition.after === undefined;
const isUnchanged = ({ transition: { before, after } }: ValidatedChange): boolean => before === after;

const appliedOf = (validated: readonly ValidatedChange[]): AppliedSet => ({
  transitions: validated.filter((each) => !isUnchanged(each)).map(({ transition }) => transition),
  unchanged: validated.filter(isUnchanged).flatMap(({ transition: { after } }) => after ?? []),
  warnings: validated.flatMap(({ warnings = [] }, change) => warnings.map((each) => ({ change, ...each }))),
});

const deletedBy = (validated: readonly ValidatedChange[]): readonly StoredRecord[] =>
  validated.filter(isDeletion).flatMap(({ transition: { before } }) => before ?? []);

/** Writes policies before the queries that are linked with them; statements sent together run in that order. */
const writeAll = async (tx: Transaction, validated: readonly ValidatedChange[]): Promise<void> => {
  const puts = validated.filter(({ prepared }) => prepared !== undefined);
  const isPolicy = ({ transition }: ValidatedChange): boolean =>
    transition.after?.kind === "authorization_policy";
  const write = (all: readonly ValidatedChange[]): Promise<unknown> =>
    Promise.all(all.flatMap(({ prepared }) => (prepared === undefined ? [] : [prepared.write(tx)])));
  await write(puts.filter(isPolicy));
  await write(puts.filter((each) => !isPolicy(each)));
  const deleted = deletedBy(validated);
  if (deleted.length > 0) await deleteRecords(tx, deleted);
};

const applyOnce = async (
  tx: Transaction,
  store: Store,
  set: PlannedSet,
  caller: CallerContext,
  plans: TrialPlans,
): Promise<AppliedSet> => {
  const current = await lockCurrent(tx, set, caller);
  checkExpected(set.changes, current);
  const exists = ({ change }: PlannedChange): boolean =>
    change.op === "put" || current.named(kindOf[change.collection], change.name) !== undefined;
  const changes = set.lenient ? set.changes.filter(exists) : set.changes;
  const validated = await validateChangeSet(tx, changes, { store, caller, current });
  await explainSet(tx, store, validated, plans, caller);
  const usage = [
    ...validated.flatMap(({ prepared }) => prepared?.usage ?? []),
    ...deletedBy(validated).map(({ kind, bytes = 0 }) => ({ kind, count: -1, bytes: -bytes })),
  ];
  if (usage.length > 0) await countUsage(tx, store.usage, set.projectId, usage, store.now().getTime());
  await writeAll(tx, validated);
  return appliedOf(validated);
};

/**
 * Applies a set of changes in one transaction, which a dry run rolls back.
 *
 * @param writeTransitions writes the audit records, announcements and change record of it in the same transaction.
 * @throws Problem `not_found` for a project of others; `conflict` where a record is not what its change expects;
 *   `unprocessable` with every fault of every change.
 */
export const applyChanges = async (
  store: Store,
  set: PlannedSet,
  caller: CallerContext,
  writeTransitions: TransitionWriter,
  dryRun: boolean,
): Promise<AppliedSet> => {
  try {
    // Texts are planned, whatever their collection.
    return await attempt(store, { trials: () => [] }, caller, async (tx, plans) => {
      const applied = await applyOnce(tx, store, set, caller, plans);
      if (dryRun) throw new ChangeSetRollback(applied);
      if (applied.transitions.length > 0) await writeTransitions(tx, applied.transitions);
      return applied;
    });
  } catch (error) {
    if (error instanceof ChangeSetRollback) return error.applied;
    throw error;
  }
};

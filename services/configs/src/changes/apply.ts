import type { AppliedChanges } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { kindOf } from "../history/kinds.ts";
import { attempt } from "../records/attempt.ts";
import type { TrialPlans } from "../records/examine.ts";
import type { StoredRecord } from "../records/record.ts";
import { deleteRecords } from "../records/remove.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { Alongside, Transition } from "../records/transition.ts";
import { countUsage } from "../records/usage.ts";
import { checkExpected } from "./conflicts.ts";
import { lockCurrent } from "./current-records.ts";
import type { JudgedChange } from "./judge-put.ts";
import { judgeSet } from "./judge-set.ts";
import { explainSet } from "./explain-set.ts";
import type { PlannedChange, PlannedSet } from "./planned-change.ts";

/** What a set did, or would do, in the order of its changes. */
export interface AppliedSet {
  readonly transitions: readonly Transition[];
  readonly unchanged: readonly StoredRecord[];
  readonly warnings: AppliedChanges["warnings"];
}

/** Ends a transaction that is not to be committed. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly applied: AppliedSet;

  constructor(applied: AppliedSet) {
    super("the transaction is rolled back on purpose");
    this.applied = applied;
  }
}

const isDeletion = ({ transition }: JudgedChange): boolean => transition.after === undefined;
const isUnchanged = ({ transition: { before, after } }: JudgedChange): boolean => before === after;

const appliedOf = (judged: readonly JudgedChange[]): AppliedSet => ({
  transitions: judged.filter((each) => !isUnchanged(each)).map(({ transition }) => transition),
  unchanged: judged.filter(isUnchanged).flatMap(({ transition: { after } }) => after ?? []),
  warnings: judged.flatMap(({ warnings = [] }, change) => warnings.map((each) => ({ change, ...each }))),
});

const deletedBy = (judged: readonly JudgedChange[]): readonly StoredRecord[] =>
  judged.filter(isDeletion).flatMap(({ transition: { before } }) => before ?? []);

/** Policies go out before the queries that are linked with them; what is sent together runs in that order. */
const writeAll = async (tx: Transaction, judged: readonly JudgedChange[]): Promise<void> => {
  const puts = judged.filter(({ prepared }) => prepared !== undefined);
  const isPolicy = ({ transition }: JudgedChange): boolean =>
    transition.after?.kind === "authorization_policy";
  const write = (all: readonly JudgedChange[]): Promise<unknown> =>
    Promise.all(all.flatMap(({ prepared }) => (prepared === undefined ? [] : [prepared.write(tx)])));
  await write(puts.filter(isPolicy));
  await write(puts.filter((each) => !isPolicy(each)));
  const deleted = deletedBy(judged);
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
  const judged = await judgeSet(tx, changes, { store, caller, current });
  await explainSet(tx, store, judged, plans, caller);
  const usage = [
    ...judged.flatMap(({ prepared }) => prepared?.usage ?? []),
    ...deletedBy(judged).map(({ kind, bytes = 0 }) => ({ kind, count: -1, bytes: -bytes })),
  ];
  if (usage.length > 0) await countUsage(tx, store.usage, set.projectId, usage, store.now().getTime());
  await writeAll(tx, judged);
  return appliedOf(judged);
};

/**
 * Applies a set of changes in one transaction, or finds out what it would do.
 *
 * @param alongside writes what belongs to it in the same transaction.
 * @throws Problem `not_found` for a project of others; `conflict` where a record is not what its change expects;
 *   `unprocessable` with every fault of every change.
 */
export const applyChanges = async (
  store: Store,
  set: PlannedSet,
  caller: CallerContext,
  alongside: Alongside,
  dryRun: boolean,
): Promise<AppliedSet> => {
  try {
    // Texts are planned, whatever their collection.
    return await attempt(store, { trials: () => [] }, caller, async (tx, plans) => {
      const applied = await applyOnce(tx, store, set, caller, plans);
      if (dryRun) throw new RolledBack(applied);
      if (applied.transitions.length > 0) await alongside(tx, applied.transitions);
      return applied;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.applied;
    throw error;
  }
};

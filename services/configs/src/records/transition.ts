import type { Transaction } from "@ikg/graph";
import type { StoredRecord } from "./record.ts";

/** A record's state before and after a change: without `before` it was created, without `after` it was deleted. */
export interface Transition {
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

/** Writes the audit records, announcements and change record of transitions in their transaction. May run several times, as the transaction may. */
export type TransitionWriter = (tx: Transaction, transitions: readonly Transition[]) => Promise<void>;

/** The record of a transition as it is, or as it was when it was deleted. */
export const recordIn = ({ before, after }: Transition): StoredRecord => {
  const record = after ?? before;
  if (record === undefined) throw new Error("a transition without a record");
  return record;
};

/** The action that an announcement reports for a transition. */
export const actionOf = ({ before, after }: Transition): "created" | "updated" | "deleted" =>
  before === undefined ? "created" : after === undefined ? "deleted" : "updated";

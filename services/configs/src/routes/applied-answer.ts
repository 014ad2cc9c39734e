import type { AppliedChanges, Gid } from "@ikg/contracts";
import type { Note } from "@ikg/service";
import type { AppliedSet } from "../changes/apply.ts";
import { callNote } from "../history/call-note.ts";
import { type Journal, transitionOf } from "../history/journal.ts";
import type { StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";

/** What is known of a set besides what it did. */
export interface SetHeader {
  readonly project_id: Gid;
  readonly message?: string | undefined;
}

const unchangedOf = (record: StoredRecord) => transitionOf({ before: record, after: record });

/** A set that stored nothing: a dry run, or one that changes nothing. A record that would be created has no version yet. */
export const notStored = (
  { transitions, unchanged, warnings }: AppliedSet,
  { project_id, message }: SetHeader,
  caller: CallerContext,
  now: Date,
): AppliedChanges => ({
  project_id,
  create_time: now.toISOString(),
  created_by: caller.accountId,
  ...(message === undefined ? {} : { message }),
  changes: transitions.map(transitionOf),
  unchanged: unchanged.map(unchangedOf),
  warnings,
});

/** Tells of a set that was applied, and answers its change record. */
export const appliedAnswer = async (
  { note }: { readonly note: Note },
  store: Store,
  applied: AppliedSet,
  header: SetHeader,
  journal: Journal,
  caller: CallerContext,
): Promise<AppliedChanges> => {
  const change = journal.changeRecord();
  if (change === undefined) {
    note(() => callNote(header.project_id, { call: "apply", count: 0 }));
    return notStored(applied, header, caller, store.now());
  }
  await journal.publish();
  return { ...change, unchanged: applied.unchanged.map(unchangedOf), warnings: applied.warnings };
};

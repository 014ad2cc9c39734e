import { setTimeout as wait } from "node:timers/promises";
import type { AppliedChanges, ChangeRecord, ChangeSetEntry, IkgAdmin } from "@ikg/client";
import { comparedText } from "./language-value.ts";
import { folders } from "./project-files.ts";

/** A change set without a response. */
export interface SentChanges {
  readonly changes: readonly ChangeSetEntry[];
  readonly message: string | undefined;
  /** A time before the request, by the clock of the suite. */
  readonly since: string;
}

const keyOf = ({ op, collection, name }: Pick<ChangeSetEntry, "op" | "collection" | "name">): string =>
  `${op} ${collection}/${name}`;

/** Whether the text of a record is the one that was sent. */
const isSame = (entry: ChangeSetEntry, after: Readonly<Record<string, unknown>>): boolean => {
  if (entry.op === "delete") return true;
  const { text } = folders[entry.collection];
  const sent: Readonly<Record<string, unknown>> = { ...entry.record };
  return comparedText(sent[text]) === comparedText(after[text]);
};

const isSentChange = async (admin: IkgAdmin, record: ChangeRecord, sent: SentChanges): Promise<boolean> => {
  if (record.message !== sent.message) return false;
  const entries = new Map(sent.changes.map((each) => [keyOf(each), each]));
  if (!record.changes.every((each) => entries.has(keyOf(each)))) return false;
  const { changes } = await admin.changes.get(record.id);
  return changes.every((each) => {
    const entry = entries.get(keyOf(each));
    return entry !== undefined && isSame(entry, { ...each.after });
  });
};

const findInHistory = async (admin: IkgAdmin, sent: SentChanges): Promise<ChangeRecord | undefined> => {
  for await (const record of admin.changes.list()) {
    if (record.create_time < sent.since) return undefined;
    if (await isSentChange(admin, record, sent)) return record;
  }
  return undefined;
};

const againAfterMs = 1_000;

/** Waits for the change set if it is being written: a dry run of the same changes needs the same lock. */
const awaitRunning = async (admin: IkgAdmin, { changes }: SentChanges): Promise<void> => {
  const { isOutcomeUnknown } = await import("@ikg/client");
  await admin.changes.apply(changes, { dryRun: true }).catch((error: unknown) => {
    // A rejection also ends the wait: a completed deletion, for example, is now rejected.
    if (isOutcomeUnknown(error)) throw error;
  });
};

/**
 * Determines by the change records whether a change set was applied although its response was lost.
 *
 * @returns the applied changes; undefined if nothing was applied.
 * @throws IkgError, IkgUnreachable if it cannot be determined.
 */
export const findApplied = async (
  admin: IkgAdmin,
  sent: SentChanges,
): Promise<AppliedChanges | undefined> => {
  let found = await findInHistory(admin, sent);
  if (found === undefined) {
    await wait(againAfterMs);
    await awaitRunning(admin, sent);
    found = await findInHistory(admin, sent);
  }
  return found === undefined ? undefined : { ...found, unchanged: [], warnings: [] };
};

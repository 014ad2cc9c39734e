import { setTimeout as wait } from "node:timers/promises";
import type { AppliedChanges, ChangeRecord, ChangeSetEntry, IkgAdmin } from "@ikg/client";
import { comparedText } from "../project-folder/language-value.ts";
import { folders } from "../project-folder/project-files.ts";

/** A change set whose response was lost. */
export interface SentChanges {
  readonly changes: readonly ChangeSetEntry[];
  readonly message: string | undefined;
  /** Before it was sent, by the clock of the suite. */
  readonly since: string;
}

const keyOf = ({ op, collection, name }: Pick<ChangeSetEntry, "op" | "collection" | "name">): string =>
  `${op} ${collection}/${name}`;

/** Whether a record has become what was sent, by its text. */
const isSame = (entry: ChangeSetEntry, after: Readonly<Record<string, unknown>>): boolean => {
  if (entry.op === "delete") return true;
  const { text } = folders[entry.collection];
  const sent: Readonly<Record<string, unknown>> = { ...entry.record };
  return comparedText(sent[text]) === comparedText(after[text]);
};

const isThat = async (admin: IkgAdmin, record: ChangeRecord, sent: SentChanges): Promise<boolean> => {
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
    if (await isThat(admin, record, sent)) return record;
  }
  return undefined;
};

const againAfterMs = 1_000;

/** A dry run of the same changes waits for the set if it is being written, because both lock the project. */
const awaitRunning = async (admin: IkgAdmin, { changes }: SentChanges): Promise<void> => {
  const { isOutcomeUnknown } = await import("@ikg/client");
  await admin.changes.apply(changes, { dryRun: true }).catch((error: unknown) => {
    // A refusal is an answer, too: a deletion that was done, for example, is refused now.
    if (isOutcomeUnknown(error)) throw error;
  });
};

/**
 * Finds out whether a change set was applied though its response was lost, by the change records.
 *
 * @returns what was done; undefined where nothing was.
 * @throws IkgError, IkgUnreachable where the suite does not say.
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

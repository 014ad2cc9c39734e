import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { CommandFault } from "../surroundings.ts";
import { RecordApplication, type RecordDeletion } from "./apply-records.ts";
import { changesOf } from "./changes-of.ts";
import type { Differences } from "./difference.ts";

export interface ApplyOptions {
  /** Why; kept in the change record. */
  readonly message: string | undefined;
  /** Where secrets come from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Writes records, then policies and queries as one change set: all of it, or nothing. */
const write = async (
  admin: IkgAdmin,
  { texts, others }: Differences,
  records: RecordApplication,
  message: string | undefined,
): Promise<AppliedChanges | undefined> => {
  try {
    await records.write(others);
    return texts.length === 0 ? undefined : await admin.changes.apply(changesOf(texts), { message });
  } catch (error) {
    const failures = await records.undo();
    if (failures.length === 0) throw error;
    throw new CommandFault(
      [`${(error as Error).message}; and not everything could be taken back:`, ...failures].join("\n"),
    );
  }
};

/** What is done stays: a second run deletes what is left. */
const deletionFault = (
  applied: AppliedChanges | undefined,
  deletions: readonly RecordDeletion[],
): CommandFault => {
  const failed = deletions.filter(({ failure }) => failure !== undefined);
  const change = applied?.id === undefined ? "" : ` (change ${applied.id})`;
  const done = deletions.length - failed.length;
  return new CommandFault(
    [
      `everything else is applied${change}, but ${failed.length} of ${deletions.length} records without a file could not be deleted${done > 0 ? `, ${done} were` : ""}:`,
      ...failed.map(({ collection, name, failure = "" }) => `  ${collection} ${name}: ${failure}`),
      "Nothing was taken back. Remove the causes and run ikg apply --prune again: it deletes what is left.",
    ].join("\n"),
  );
};

/**
 * Makes a project what its files say. Deletions of records come last, one by one: they cannot be taken back, so that one
 * that fails leaves what was written before it.
 *
 * @returns the change set, if policies or queries change.
 * @throws CommandFault that says what is done and what is not.
 */
export const applyDifferences = async (
  admin: IkgAdmin,
  differences: Differences,
  { message, environment }: ApplyOptions,
): Promise<AppliedChanges | undefined> => {
  const records = new RecordApplication(admin, environment);
  records.requireSecrets(differences.others);
  const applied = await write(admin, differences, records, message);
  const deletions = await records.delete(differences.others);
  if (deletions.some(({ failure }) => failure !== undefined)) throw deletionFault(applied, deletions);
  return applied;
};

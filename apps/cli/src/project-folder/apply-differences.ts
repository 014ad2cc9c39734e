import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { withPlaces, type WrittenChanges } from "../changes/placed-faults.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import { RecordApplication, type RecordDeletion } from "./apply-records.ts";
import type { Differences } from "./difference.ts";

export interface ApplyOptions {
  /** The policies and queries among the differences. */
  readonly changes: WrittenChanges;
  /** Why; kept in the change record. */
  readonly message: string | undefined;
  /** Secrets come from its environment. */
  readonly around: Surroundings;
}

/** Writes records, then policies and queries as one change set: all of it, or nothing. */
const write = async (
  admin: IkgAdmin,
  { others }: Differences,
  records: RecordApplication,
  { changes: from, message, around }: ApplyOptions,
): Promise<AppliedChanges | undefined> => {
  try {
    await records.write(others);
    const { changes } = from;
    if (changes.length === 0) return undefined;
    return await withPlaces(from, around, () => admin.changes.apply(changes, { message }));
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
  options: ApplyOptions,
): Promise<AppliedChanges | undefined> => {
  const records = new RecordApplication(admin, options.around.environment);
  records.requireSecrets(differences.others);
  const applied = await write(admin, differences, records, options);
  const deletions = await records.delete(differences.others);
  if (deletions.some(({ failure }) => failure !== undefined)) throw deletionFault(applied, deletions);
  return applied;
};

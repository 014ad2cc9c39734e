import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { findApplied } from "../changes/find-applied.ts";
import { withPlaces, type WrittenChanges } from "../changes/placed-faults.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import { RecordApplication, type RecordDeletion } from "./apply-records.ts";
import { withConflicts } from "./conflict-fault.ts";
import type { Differences } from "./difference.ts";
import { recordKey, type Versions, type WrittenVersions } from "./versions.ts";

export interface ApplyOptions {
  /** The policies and queries among the differences. */
  readonly changes: WrittenChanges;
  /** Why; kept in the change record. */
  readonly message: string | undefined;
  /** When the differences were found, by the clock of the suite. */
  readonly since: string;
  /** Secrets come from its environment. */
  readonly around: Surroundings;
  /** What the records were then: those that are not that any more are not overwritten. */
  readonly versions: Versions | undefined;
  /** Gets what is written, also where not everything is. */
  readonly written: WrittenVersions;
}

/** Whether policies and queries changed is not known: to take records back could break those that use them. */
class OutcomeUnknown extends CommandFault {
  constructor({ message }: Error) {
    super(
      `${message}; whether policies and queries changed is not known, and nothing was taken back: ikg history says what was applied, and ikg plan what is left`,
    );
  }
}

/** Applies a change set once; if the response is lost, finds out what became of it. */
const applyOnce = async (
  admin: IkgAdmin,
  { changes: from, message, since, around, versions }: ApplyOptions,
): Promise<AppliedChanges> => {
  const { changes } = from;
  const { isOutcomeUnknown } = await import("@ikg/client");
  try {
    return await withPlaces(from, around, () =>
      withConflicts(admin, changes, versions, () => admin.changes.apply(changes, { message })),
    );
  } catch (error) {
    if (!(error instanceof Error && isOutcomeUnknown(error))) throw error;
    const applied = await findApplied(admin, { changes, message, since }).catch(() => {
      throw new OutcomeUnknown(error);
    });
    if (applied === undefined) throw error;
    around.error(`warning: ${error.message}; the change was applied all the same\n`);
    return applied;
  }
};

/** Takes records back. @throws the error that was the reason, with what could not be taken back */
const takeBack = async (records: RecordApplication, error: unknown): Promise<never> => {
  const failures = await records.undo();
  if (failures.length === 0) throw error;
  throw new CommandFault(
    [`${(error as Error).message}; and not everything could be taken back:`, ...failures].join("\n"),
  );
};

/** Writes records, then policies and queries as one change set: all of it, or nothing. */
const write = async (
  admin: IkgAdmin,
  { others }: Differences,
  records: RecordApplication,
  options: ApplyOptions,
): Promise<AppliedChanges | undefined> => {
  const { changes, written } = options;
  try {
    await records.write(others);
    if (changes.changes.length === 0) return undefined;
    const applied = await applyOnce(admin, options);
    for (const each of applied.changes) written.set(recordKey(each), { version: each.to_version });
    return applied;
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) return takeBack(records, error);
    for (const each of changes.changes) written.set(recordKey(each), null);
    throw error;
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
  const { around, versions, written } = options;
  const { environment } = around;
  const records = new RecordApplication(admin, { environment, versions, written });
  records.requireSecrets(differences.others);
  const applied = await write(admin, differences, records, options);
  const deletions = await records.delete(differences.others);
  if (deletions.some(({ failure }) => failure !== undefined)) throw deletionFault(applied, deletions);
  return applied;
};

import type { AppliedChanges, IkgAdmin } from "@ikg/client";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { findApplied } from "./find-applied.ts";
import { withLocatedErrors, type WrittenChanges } from "./located-errors.ts";
import { RecordApplication, type RecordDeletion } from "./apply-records.ts";
import { withConflicts } from "./conflict-fault.ts";
import type { Differences } from "./difference.ts";
import { recordKey, type Versions, type WrittenVersions } from "./versions.ts";

export interface ApplyOptions {
  /** The changes of policies and queries. */
  readonly changes: WrittenChanges;
  /** The reason, stored in the change record. */
  readonly message: string | undefined;
  /** Time of the comparison, by the clock of the suite. */
  readonly since: string;
  /** Its environment contains the secrets. */
  readonly environment: CommandEnvironment;
  /** Versions of the records at that time; records with other versions are not overwritten. */
  readonly versions: Versions | undefined;
  /** Receives the new versions, also of an incomplete run. */
  readonly written: WrittenVersions;
}

/** It is unknown whether policies and queries changed, so rolling back records could break those that use them. */
class OutcomeUnknown extends CommandFault {
  constructor({ message }: Error) {
    super(
      `${message}; it is unknown whether policies and queries changed, so nothing was rolled back: run ikg history for what was applied, and ikg plan for what is left`,
    );
  }
}

/** Applies a change set once; if the response is lost, determines whether it was applied. */
const applyOnce = async (
  admin: IkgAdmin,
  { changes: from, message, since, environment, versions }: ApplyOptions,
): Promise<AppliedChanges> => {
  const { changes } = from;
  const { isOutcomeUnknown } = await import("@ikg/client");
  try {
    return await withLocatedErrors(from, environment, () =>
      withConflicts(admin, changes, versions, () => admin.changes.apply(changes, { message })),
    );
  } catch (error) {
    if (!(error instanceof Error && isOutcomeUnknown(error))) throw error;
    const applied = await findApplied(admin, { changes, message, since }).catch(() => {
      throw new OutcomeUnknown(error);
    });
    if (applied === undefined) throw error;
    environment.error(`warning: ${error.message}; the change was applied nevertheless\n`);
    return applied;
  }
};

/** Rolls back records. @throws the original error, with the records that could not be rolled back */
const rollBack = async (records: RecordApplication, error: unknown): Promise<never> => {
  const failures = await records.undo();
  if (failures.length === 0) throw error;
  throw new CommandFault(
    [`${(error as Error).message}; not everything could be rolled back:`, ...failures].join("\n"),
  );
};

/** Writes records, then policies and queries as one change set; rolls back everything on failure. */
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
    if (!(error instanceof OutcomeUnknown)) return rollBack(records, error);
    for (const each of changes.changes) written.set(recordKey(each), null);
    throw error;
  }
};

/** Completed changes are kept: a second run deletes the remaining records. */
const deletionFault = (
  applied: AppliedChanges | undefined,
  deletions: readonly RecordDeletion[],
): CommandFault => {
  const failed = deletions.filter(({ failure }) => failure !== undefined);
  const change = applied?.id === undefined ? "" : ` (change ${applied.id})`;
  const done = deletions.length - failed.length;
  return new CommandFault(
    [
      `everything else was applied${change}, but ${failed.length} of ${deletions.length} records without a file could not be deleted${done > 0 ? `, ${done} were` : ""}:`,
      ...failed.map(({ collection, name, failure = "" }) => `  ${collection} ${name}: ${failure}`),
      "Nothing was rolled back. Resolve the causes and run ikg apply --prune again to delete the remaining records.",
    ].join("\n"),
  );
};

/**
 * Applies differences to a project. Records are deleted last, one by one: deletions cannot be rolled back, and a failed one keeps
 * the changes before it.
 *
 * @returns the change set if policies or queries change.
 * @throws CommandFault with what was applied and what was not.
 */
export const applyDifferences = async (
  admin: IkgAdmin,
  differences: Differences,
  options: ApplyOptions,
): Promise<AppliedChanges | undefined> => {
  const { environment, versions, written } = options;
  const records = new RecordApplication(admin, { variables: environment.variables, versions, written });
  records.requireSecrets(differences.others);
  const applied = await write(admin, differences, records, options);
  const deletions = await records.delete(differences.others);
  if (deletions.some(({ failure }) => failure !== undefined)) throw deletionFault(applied, deletions);
  return applied;
};

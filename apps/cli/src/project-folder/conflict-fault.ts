import type { IkgAdmin } from "@ikg/client";
import { accountName } from "../records/account-name.ts";
import { collectionNames } from "../records/collection-names.ts";
import { openCollection } from "../records/open-collection.ts";
import { CommandFault } from "../command-environment.ts";
import {
  type Conflict,
  conflictsIn,
  recordKey,
  type RecordName,
  type Versions,
  versionsOf,
} from "./versions.ts";

/** Number of change records that are searched for a deletion. */
const searchedChanges = 50;

const deletedBy = async (admin: IkgAdmin, record: RecordName): Promise<string | undefined> => {
  let left = searchedChanges;
  for await (const { created_by, changes } of admin.changes.list({ pageSize: searchedChanges })) {
    if (changes.some((each) => each.op === "delete" && recordKey(each) === recordKey(record)))
      return created_by;
    if (--left === 0) break;
  }
  return undefined;
};

const changedBy = async (admin: IkgAdmin, { collection, name }: RecordName): Promise<string | undefined> => {
  const known = collectionNames[collection];
  if (known === undefined) return undefined;
  const { updated_by } = await openCollection(admin, known).get(name);
  return typeof updated_by === "string" ? updated_by : undefined;
};

/** The author of a change, if the suite reports it. */
const authorOf = async (admin: IkgAdmin, conflict: Conflict): Promise<string> => {
  const find = conflict.found === 0 ? deletedBy : changedBy;
  const id = await find(admin, conflict).catch(() => undefined);
  return id === undefined ? "" : ` by ${await accountName(admin, id)}`;
};

const doneTo = ({ expected, found }: Conflict): string => {
  if (found === 0) return "deleted";
  return expected === 0 ? "created" : "changed";
};

const versionText = (version: number): string => (version === 0 ? "no record" : `version ${version}`);

/**
 * The error for records that have changed: a line for each, with the author, the versions and what to do.
 *
 * @param since the command that showed the record, such as `ikg plan`.
 */
export const conflictFault = async (
  admin: IkgAdmin,
  conflicts: readonly Conflict[],
  since: string,
): Promise<CommandFault> => {
  const lines = conflicts.map(async (each) => {
    const by = await authorOf(admin, each);
    const versions = `${versionText(each.found)} found, ${versionText(each.expected)} expected`;
    return `${recordKey(each)} was ${doneTo(each)}${by} since ${since} (${versions}): review it with ikg plan, then apply again`;
  });
  return new CommandFault((await Promise.all(lines)).join("\n"));
};

/** Whether the suite rejected a change set or a record because of another version. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "conflict" || error.code === "precondition_failed");

/**
 * Sends changes of records that were read before.
 *
 * @throws CommandFault if one of them has changed since; other errors of `call`.
 */
export const withConflicts = async <T>(
  admin: IkgAdmin,
  records: readonly RecordName[],
  before: Versions | undefined,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!isConflict(error) || before === undefined) throw error;
    const now = versionsOf(await admin.export());
    const conflicts = now === undefined ? [] : conflictsIn(records, before, now);
    throw conflicts.length === 0 ? error : await conflictFault(admin, conflicts, "this command read it");
  }
};

import type { IkgAdmin } from "@ikg/client";
import { accountName } from "../changes/account-name.ts";
import { collectionNames } from "../records/collection-names.ts";
import { openCollection } from "../records/open-collection.ts";
import { CommandFault } from "../surroundings.ts";
import {
  type Conflict,
  conflictsIn,
  recordKey,
  type RecordName,
  type Versions,
  versionsOf,
} from "./versions.ts";

/** Change records that are looked through for a deletion. */
const lookedThrough = 50;

const deletedBy = async (admin: IkgAdmin, record: RecordName): Promise<string | undefined> => {
  let left = lookedThrough;
  for await (const { created_by, changes } of admin.changes.list({ pageSize: lookedThrough })) {
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

/** Who it was, as far as the suite says. */
const authorOf = async (admin: IkgAdmin, conflict: Conflict): Promise<string> => {
  const find = conflict.found === 0 ? deletedBy : changedBy;
  const id = await find(admin, conflict).catch(() => undefined);
  return id === undefined ? "" : ` by ${await accountName(admin, id)}`;
};

const doneTo = ({ expected, found }: Conflict): string => {
  if (found === 0) return "deleted";
  return expected === 0 ? "created" : "changed";
};

const words = (version: number): string => (version === 0 ? "no record" : `version ${version}`);

/**
 * One line for each record that is not what it was: who changed it, its versions, and what to do.
 *
 * @param since what it was seen by, such as `ikg plan`.
 */
export const conflictFault = async (
  admin: IkgAdmin,
  conflicts: readonly Conflict[],
  since: string,
): Promise<CommandFault> => {
  const lines = conflicts.map(async (each) => {
    const by = await authorOf(admin, each);
    const versions = `${words(each.found)} found, ${words(each.expected)} expected`;
    return `${recordKey(each)} was ${doneTo(each)}${by} since ${since} (${versions}): look at it with ikg plan, then apply again`;
  });
  return new CommandFault((await Promise.all(lines)).join("\n"));
};

/** The suite says that a record is not what a change expects: of a change set, or of one record. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "conflict" || error.code === "precondition_failed");

/**
 * Calls the suite with changes of records that were read before.
 *
 * @throws CommandFault where one of them has been changed since; else what `call` throws.
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

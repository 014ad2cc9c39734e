import { claimLabel, schemaFields, type Transaction } from "@ikg/graph";
import { takeLock } from "@ikg/physical";
import { LeaseLost } from "./lease.ts";
import type { Migration, Target } from "./migration.ts";

/** How far a migration is in one database; kept at its claim, in the transaction of each batch. */
export interface Place {
  /** `<version>/<step>`; empty before the first batch. */
  readonly step: string;
  readonly cursor: string;
}

/** Name of a step among those of all migrations. */
export const stepKey = ({ version }: Migration, step: string): string => `${version}/${step}`;

const { version, readableFrom } = schemaFields;
const timeoutMs = 30_000;

const placeText = [
  `MATCH (c:${claimLabel} {key: 'database', owner: $owner}) RETURN coalesce(c.${version}, 0) AS version,`,
  "coalesce(c.migration_step, '') AS step, coalesce(c.migration_cursor, '') AS cursor",
].join(" ");

// A holder of an older epoch, and one that continues from another place, write nothing.
const fence = [
  `MATCH (c:${claimLabel} {key: 'database', owner: $owner}) ${takeLock("c")}`,
  "WITH c WHERE coalesce(c.migration_epoch, 0) <= $epoch",
  `AND coalesce(c.${version}, 0) = $version - 1`,
  "AND coalesce(c.migration_step, '') = $from.step AND coalesce(c.migration_cursor, '') = $from.cursor",
].join(" ");
// Services of builds that cannot read what a migration leaves must not start from its first batch on, or from its end where
// it has none.
const raiseReadableFrom = [
  `c.${readableFrom} = CASE WHEN coalesce(c.${readableFrom}, 0) < $readableFrom THEN $readableFrom`,
  `ELSE coalesce(c.${readableFrom}, 0) END`,
].join(" ");
const advanceText = [
  `${fence} SET c.migration_epoch = $epoch, c.migration_step = $to.step, c.migration_cursor = $to.cursor,`,
  `${raiseReadableFrom} RETURN true AS done`,
].join(" ");
const finishText = [
  `${fence} SET c.migration_epoch = $epoch, c.${version} = $version, ${raiseReadableFrom}`,
  "REMOVE c.migration_step, c.migration_cursor RETURN true AS done",
].join(" ");

/**
 * How far a database is; undefined when its claim is gone, or another owner's.
 *
 * @throws Error for a version that is not a whole number; otherwise as `Database.read`.
 */
export const readPlace = async ({
  database,
  owner,
}: Target): Promise<(Place & { readonly version: number }) | undefined> => {
  const [row] = await database.read(placeText, { owner }, { timeoutMs });
  if (row === undefined) return undefined;
  const stored = Number(row["version"]);
  // NaN is neither below nor above a version, and would count as migrated.
  if (!Number.isInteger(stored))
    throw new Error(
      `the schema version of the data is not a whole number: correct ${version} of its node ${claimLabel}, see docs/upgrading.md`,
    );
  return {
    version: stored,
    step: String(row["step"]),
    cursor: String(row["cursor"]),
  };
};

/** Whose progress it is, and from where. */
export interface Fence {
  readonly migration: Migration;
  readonly epoch: number;
  readonly from: Place;
}

const paramsOf = ({ owner }: Target, { migration, epoch, from }: Fence) => ({
  owner,
  epoch,
  from,
  version: migration.version,
  readableFrom: migration.readableFrom,
});

/**
 * Notes where the next batch continues, first in the transaction of the batch before.
 *
 * @throws LeaseLost when another process has gone on.
 */
export const advance = async (tx: Transaction, target: Target, by: Fence, to: Place): Promise<void> => {
  const rows = await tx.run(advanceText, { ...paramsOf(target, by), to });
  if (rows.length === 0) throw new LeaseLost();
};

/** Notes that a migration is done. @throws LeaseLost as `advance` */
export const finish = async (tx: Transaction, target: Target, by: Fence): Promise<void> => {
  const rows = await tx.run(finishText, paramsOf(target, by));
  if (rows.length === 0) throw new LeaseLost();
};

import { claimLabel, type Database, sharedOwner } from "@ikg/graph";
import { takeLock } from "@ikg/physical";

/**
 * Which process migrates, noted at the claim of the shared database by its clock. Each holder has an epoch of its own: what one with an
 * older epoch writes is refused (`progress.ts`), so that a process that was taken for dead does no harm. An epoch is the time at which
 * the lease was acquired, or the former epoch and one: if the shared database is restored from a backup, the next epoch still exceeds
 * those that the databases of projects have seen.
 */
export interface Lease {
  readonly token: string;
  readonly epoch: number;
}

/** The lease was given to another process. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor() {
    super("another process migrates");
  }
}

const options = { timeoutMs: 10_000 };

const locked = `MATCH (c:${claimLabel} {key: 'database', owner: '${sharedOwner}'}) ${takeLock("c")}`;
const acquireText = [
  `${locked} WITH c WHERE c.migration_holder IS NULL OR c.migration_until < timestamp()`,
  "SET c.migration_holder = $token, c.migration_until = timestamp() + $leaseMs,",
  "c.migration_epoch = CASE WHEN coalesce(c.migration_epoch, 0) < timestamp() THEN timestamp() ELSE c.migration_epoch + 1 END",
  "RETURN c.migration_epoch AS epoch",
].join(" ");
const mine = `${locked} WITH c WHERE c.migration_holder = $token AND c.migration_epoch = $epoch`;
const renewText = `${mine} SET c.migration_until = timestamp() + $leaseMs RETURN c.migration_epoch AS epoch`;
const releaseText = `${mine} REMOVE c.migration_holder, c.migration_until`;

/** @returns undefined while another process holds it. */
export const acquireLease = async (
  database: Database,
  token: string,
  leaseMs: number,
): Promise<Lease | undefined> => {
  const [row] = await database.write((tx) => tx.run(acquireText, { token, leaseMs }), options);
  return row === undefined ? undefined : { token, epoch: Number(row["epoch"]) };
};

/** @throws LeaseLost when another process has it. */
export const renewLease = async (database: Database, lease: Lease, leaseMs: number): Promise<void> => {
  const rows = await database.write((tx) => tx.run(renewText, { ...lease, leaseMs }), options);
  if (rows.length === 0) throw new LeaseLost();
};

export const releaseLease = async (database: Database, lease: Lease): Promise<void> => {
  await database.write((tx) => tx.run(releaseText, { ...lease }), options);
};

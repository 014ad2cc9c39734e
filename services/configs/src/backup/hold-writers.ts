import { projectLabel, projectKey, quoteName, recordLabel } from "@ikg/physical";
import type { Session, Transaction } from "neo4j-driver";
import type { RawDatabase } from "./source.ts";

/** How long is waited for writers that are at work. */
const waitMs = 10_000;

/**
 * Holds the writers of a project while `work` runs. A transaction that makes an index waits for those that write to the label of the
 * project, and those that come wait for it; it is rolled back, so that there never is an index. Another one holds the record
 * of the project, which every change of its configuration locks.
 *
 * @returns undefined when writers could not be held.
 */
export const withWritersHeld = async <T>(
  database: RawDatabase,
  { id, pk }: { readonly id: string; readonly pk: string | undefined },
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const sessions: Session[] = [];
  const transactions: Transaction[] = [];
  const begin = async (timeout: number): Promise<Transaction> => {
    const session = database.session();
    sessions.push(session);
    const tx = await session.beginTransaction({ timeout });
    transactions.push(tx);
    return tx;
  };
  try {
    try {
      const record = await begin(60_000);
      await record.run(`MATCH (r:${recordLabel} {id: $id}) SET r.kind = r.kind`, { id });
      if (pk !== undefined) {
        const graph = await begin(60_000);
        const label = quoteName(projectLabel(projectKey(pk)));
        const index = quoteName(`ikg_backup_${pk}`);
        const made = graph.run(`CREATE RANGE INDEX ${index} FOR (n:${label}) ON (n._backup)`);
        const late = Symbol("late");
        const limit = new Promise<typeof late>((resolve) => setTimeout(() => resolve(late), waitMs).unref());
        const outcome = await Promise.race([made, limit]);
        if (outcome === late) {
          made.catch(() => undefined);
          return undefined;
        }
      }
    } catch {
      // A deadlock, or the limit of the database for a lock: the next attempt may have more luck.
      return undefined;
    }
    return await work();
  } finally {
    for (const tx of transactions.toReversed()) await tx.rollback().catch(() => undefined);
    for (const session of sessions) await session.close().catch(() => undefined);
  }
};

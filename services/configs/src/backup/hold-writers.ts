import { randomUUID } from "node:crypto";
import { projectLabel, projectKey, quoteName, recordLabel, takeLock } from "@ikg/physical";
import type { Session, Transaction } from "neo4j-driver";
import type { RawDatabase } from "./source.ts";
import type { Project } from "./units.ts";

/** Longest wait for transactions that are in progress. */
const waitMs = 300;
/** After the longest hold the database ends the locks of a backup that no longer does so itself. */
const spareMs = 5_000;

const late = Symbol("late");

/** @returns `late` when the work takes longer; its late result is ignored. */
const within = async <T>(ms: number, work: Promise<T>): Promise<T | typeof late> => {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof late>((resolve) => (timer = setTimeout(() => resolve(late), ms)));
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};

/** A transaction that waits for a lock ends only by termination. */
const terminateText = [
  "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.ikg_backup = $hold",
  "TERMINATE TRANSACTIONS id YIELD message RETURN message",
].join(" ");

/** Takes the locks that writers of a project wait for. */
const takeLocks = async (begin: () => Promise<Transaction>, { id, pk }: Project): Promise<void> => {
  const record = await begin();
  await record.run(`MATCH (r:${recordLabel} {id: $id}) ${takeLock("r")}`, { id });
  if (pk === undefined) return;
  const graph = await begin();
  const label = quoteName(projectLabel(projectKey(pk)));
  await graph.run(`CREATE RANGE INDEX ${quoteName(`ikg_backup_${pk}`)} FOR (n:${label}) ON (n._backup)`);
};

/** The result of work during which writers were held, and the longest time that they may have waited. */
export interface HoldResult<T> {
  readonly value: T;
  readonly ms: number;
}

/** The reason why writers could not be held. */
export interface HoldFailure {
  readonly reason: string;
}

/**
 * Blocks the writers of a project while `work` runs. A transaction that creates an index waits for open transactions that
 * write to the project's label, and blocks later ones; it is rolled back, so the index never exists. A second transaction
 * locks the record of the project, which every change of its configuration locks.
 *
 * @param holdMs longest time for which writers are held.
 */
export const holdWriters = async <T>(
  database: RawDatabase,
  project: Project,
  holdMs: number,
  work: () => Promise<T>,
): Promise<HoldResult<T> | HoldFailure> => {
  const hold = randomUUID();
  const sessions: Session[] = [];
  const transactions: Transaction[] = [];
  let isReleased = false;
  const begin = async (): Promise<Transaction> => {
    if (isReleased) throw new Error("the locks were acquired too late");
    const session = database.session();
    sessions.push(session);
    const tx = await session.beginTransaction({
      timeout: waitMs + holdMs + spareMs,
      metadata: { ikg_backup: hold },
    });
    transactions.push(tx);
    // The others were ended while this one began.
    if (isReleased) await tx.rollback();
    return tx;
  };
  const began = performance.now();
  try {
    if ((await within(waitMs, takeLocks(begin, project))) === late) {
      isReleased = true;
      await database.read(terminateText, { hold });
      return { reason: `its transactions took longer than ${waitMs} ms` };
    }
    const value = await within(holdMs, work());
    return value === late
      ? { reason: `it could not be read within ${holdMs} ms` }
      : { value, ms: Math.round(performance.now() - began) };
  } catch (error) {
    // For example a deadlock or a lock timeout of the database: a later attempt may succeed.
    return { reason: (error as Error).message };
  } finally {
    isReleased = true;
    await Promise.all(transactions.map((tx) => tx.rollback().catch(() => undefined)));
    await Promise.all(sessions.map((session) => session.close().catch(() => undefined)));
  }
};

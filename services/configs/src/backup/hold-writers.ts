import { randomUUID } from "node:crypto";
import { projectLabel, projectKey, quoteName, recordLabel, takeLock } from "@ikg/physical";
import type { Session, Transaction } from "neo4j-driver";
import type { RawDatabase } from "./source.ts";
import type { Project } from "./units.ts";

/** How long is waited for writers that are at work. */
const waitMs = 300;

const late = Symbol("late");

/** @returns `late` when it takes longer; what it does afterwards is ignored. */
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

/** A transaction that waits for a lock ends only when it is terminated. */
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

/** What was done while writers were held, and for how long they may have waited. */
export interface Held<T> {
  readonly value: T;
  readonly ms: number;
}

/** Why nothing was. */
export interface NotHeld {
  readonly reason: string;
}

/**
 * Holds the writers of a project for a moment, in which `work` runs. A transaction that makes an index waits for those that write to
 * the label of the project, and those that come wait for it; it is rolled back, so that there never is an index. Another one
 * holds the record of the project, which every change of its configuration locks.
 *
 * @param holdMs for how long at most.
 */
export const withWritersHeld = async <T>(
  database: RawDatabase,
  project: Project,
  holdMs: number,
  work: () => Promise<T>,
): Promise<Held<T> | NotHeld> => {
  const hold = randomUUID();
  const sessions: Session[] = [];
  const transactions: Transaction[] = [];
  let isOver = false;
  const begin = async (): Promise<Transaction> => {
    if (isOver) throw new Error("the locks come too late");
    const session = database.session();
    sessions.push(session);
    const tx = await session.beginTransaction({ timeout: 10_000, metadata: { ikg_backup: hold } });
    transactions.push(tx);
    // It began while the others were ended.
    if (isOver) await tx.rollback();
    return tx;
  };
  const began = performance.now();
  try {
    if ((await within(waitMs, takeLocks(begin, project))) === late) {
      isOver = true;
      await database.read(terminateText, { hold });
      return { reason: `its transactions took longer than ${waitMs} ms` };
    }
    const value = await within(holdMs, work());
    return value === late
      ? { reason: `it could not be read within ${holdMs} ms` }
      : { value, ms: Math.round(performance.now() - began) };
  } catch (error) {
    // Such as a deadlock, or the limit of the database for a lock: the next attempt may have more luck.
    return { reason: (error as Error).message };
  } finally {
    isOver = true;
    await Promise.all(transactions.map((tx) => tx.rollback().catch(() => undefined)));
    await Promise.all(sessions.map((session) => session.close().catch(() => undefined)));
  }
};

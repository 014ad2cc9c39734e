import { type Database, MemoryLimitExceeded, StatementTimeout } from "@ikg/graph";

/** A statement that removes some things at once, and says how many it found. */
export interface Sweep {
  /** @param limit how many it removes at most */
  readonly text: (limit: number) => string;
  /** How many at once: fewer where a transaction has no memory or no time for so many. */
  readonly batch: number;
  /** Removes relationships of the node that `text(1)` finds, for one that cannot be removed with all of them. */
  readonly relationshipsText?: (limit: number) => string;
}

export const sweepTimeoutMs = 60_000;
const relationshipsAtOnce = 1_000;
/** Values of a project have any size: after a failure a part is tried, after a success twice as many. */
const reduction = 8;
const growth = 2;

/** True where fewer things at once may be removed. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof MemoryLimitExceeded || error instanceof StatementTimeout;

/**
 * Repeats a sweep until it finds nothing more.
 *
 * @param database opened for each statement: the driver of a database that is kept for longer may be closed
 * @returns how many things it removed
 */
export const runSweep = async (
  database: () => Database,
  { text, batch, relationshipsText }: Sweep,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<number> => {
  const remove = async (statement: string): Promise<number> => {
    signal.throwIfAborted();
    const [row] = await database().write((tx) => tx.run(statement, params), {
      timeoutMs: sweepTimeoutMs,
      signal,
    });
    return Number(row?.["removed"] ?? 0);
  };
  /** @returns whether there were any */
  const removeRelationships = async (): Promise<boolean> => {
    if (relationshipsText === undefined) return false;
    for (let any = false; ; any = true) {
      const removed = await remove(relationshipsText(relationshipsAtOnce));
      if (removed < relationshipsAtOnce) return any || removed > 0;
    }
  };
  let limit = batch;
  for (let total = 0; ;) {
    try {
      const removed = await remove(text(limit));
      total += removed;
      if (removed < limit) return total;
      limit = Math.min(batch, limit * growth);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      if (limit > 1) limit = Math.ceil(limit / reduction);
      else if (!(await removeRelationships())) throw error;
    }
  }
};

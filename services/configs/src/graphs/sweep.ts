import { type Database, MemoryLimitExceeded, type Row, StatementTimeout } from "@ikg/graph";

/** A statement that removes some things at once, and says how many it found. */
export interface Sweep {
  /**
   * Returns a row: `removed`, and `is_too_much` where it removed nothing because these have too many relationships.
   *
   * @param limit how many it removes at most
   */
  readonly text: (limit: number) => string;
  /** How many at once: fewer where a transaction has no memory or no time for so many, or they have too many relationships. */
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
const isTooMuch = (error: unknown): error is MemoryLimitExceeded | StatementTimeout =>
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
  const run = async (statement: string): Promise<Row> => {
    signal.throwIfAborted();
    const [row = {}] = await database().write((tx) => tx.run(statement, params), {
      timeoutMs: sweepTimeoutMs,
      signal,
    });
    return row;
  };
  const removedOf = (row: Row): number => Number(row["removed"] ?? 0);
  /** @returns whether there were any */
  const removeRelationships = async (): Promise<boolean> => {
    if (relationshipsText === undefined) return false;
    for (let any = false; ; any = true) {
      const removed = removedOf(await run(relationshipsText(relationshipsAtOnce)));
      if (removed < relationshipsAtOnce) return any || removed > 0;
    }
  };
  /** @returns how many it removed; a failure where so many are too much for a transaction */
  const removeBatch = async (limit: number): Promise<number | Error> => {
    try {
      const row = await run(text(limit));
      return row["is_too_much"] === true ? new Error("too many relationships") : removedOf(row);
    } catch (error) {
      if (isTooMuch(error)) return error;
      throw error;
    }
  };
  let limit = batch;
  for (let total = 0; ;) {
    const removed = await removeBatch(limit);
    if (typeof removed === "number") {
      total += removed;
      if (removed < limit) return total;
      limit = Math.min(batch, limit * growth);
    } else if (limit > 1) limit = Math.ceil(limit / reduction);
    else if (!(await removeRelationships())) throw removed;
  }
};

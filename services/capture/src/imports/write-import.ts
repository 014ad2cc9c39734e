import { type Bucket, nodeBuckets, relationshipBuckets } from "./buckets.ts";
import { inDisjointOrder } from "./in-disjoint-order.ts";
import { type ChunkParts, writeChunk } from "./write-chunk.ts";

/** Transactions at once. */
const writers = 4;

/** Why writing ended before everything was written. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export interface WriteParts extends ChunkParts {
  /** Called before every chunk. @throws when writing must stop */
  readonly check: () => Promise<void>;
  /** Called with the rows of every chunk that was written. */
  readonly onWritten: (rows: number) => void;
}

/** Writes the chunks of one bucket in their order; the next one is fetched while one is written. */
const writeBucket = async (parts: WriteParts, bucket: Bucket): Promise<void> => {
  const { staging, check, onWritten } = parts;
  let next = staging.next(bucket.number, undefined);
  for (;;) {
    const chunk = await next;
    if (chunk === undefined) return;
    await check();
    next = staging.next(bucket.number, chunk.key);
    // The error reaches the code that awaits it, if nothing else fails before.
    next.catch(() => undefined);
    const rows = await writeChunk(parts, bucket, chunk);
    // Another worker is at this bucket: what is there now is fetched again.
    if (rows === undefined) next = staging.next(bucket.number, undefined);
    else onWritten(rows);
  }
};

/**
 * Writes everything that is staged of an import: all nodes, then the relationships between them. Continues from where a
 * former worker ended.
 *
 * @throws what `check` throws, and as `Database.write`.
 */
export const writeImport = async (parts: WriteParts): Promise<void> => {
  for (const buckets of [nodeBuckets, relationshipBuckets])
    await inDisjointOrder(buckets, writers, (bucket) => writeBucket(parts, bucket));
};

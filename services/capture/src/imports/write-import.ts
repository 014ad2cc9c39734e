import { type Bucket, nodeBuckets, relationshipBuckets } from "./buckets.ts";
import { inDisjointOrder } from "./in-disjoint-order.ts";
import { type ChunkParts, writeChunk } from "./write-chunk.ts";

/** Transactions at once. */
const writers = 4;

/** The process ends, or the import was cancelled: writing stopped before everything was written. */
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
    // A failure is thrown where the chunk is awaited.
    next.catch(() => undefined);
    const rows = await writeChunk(parts, bucket, chunk);
    // Another worker writes this bucket: it is read again from its beginning.
    if (rows === undefined) next = staging.next(bucket.number, undefined);
    else onWritten(rows);
  }
};

/**
 * Writes everything that is staged of an import: all nodes, then the relationships between them. Continues where a former
 * worker ended.
 *
 * @throws as `check`, and as `Database.write`.
 */
export const writeImport = async (parts: WriteParts): Promise<void> => {
  for (const buckets of [nodeBuckets, relationshipBuckets])
    await inDisjointOrder(buckets, writers, (bucket) => writeBucket(parts, bucket));
};

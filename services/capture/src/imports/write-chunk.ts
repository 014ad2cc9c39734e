import type { UpsertNode, UpsertRelationship } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { bucketPrefix } from "@ikg/physical";
import { nodeBatch } from "../nodes/node-rows.ts";
import { writeNodes } from "../nodes/upsert-nodes.ts";
import type { Project } from "../projects/projects.ts";
import { missingEnds } from "../relationships/missing-ends.ts";
import { relationshipBatch, type RelationshipRow } from "../relationships/relationship-rows.ts";
import { writeRelationships } from "../relationships/write-relationships.ts";
import { type Bucket, holdsNodes } from "./buckets.ts";
import { type StagedRow, unpackNodes, unpackRelationships } from "./staged-rows.ts";
import type { Rejection, Staging, StoredChunk } from "./staging.ts";
import { lockChunkText, takeChunkText } from "./statements.ts";

const timeoutMs = 60_000;

/** A chunk was taken by another worker, or an earlier one of its bucket was not. */
class ChunkConflictError extends Error {
  override readonly name = "ChunkConflictError";
}

/** The rows of a chunk. */
interface ChunkRows {
  readonly count: number;
  /** Writes them in an open transaction; resolves to those that cannot be written. */
  write(tx: Transaction, now: string): Promise<readonly Rejection[]>;
}

const nodeRows = async (data: Int8Array, { pk }: Project): Promise<ChunkRows> => {
  const rows = await unpackNodes(data);
  const nodes = rows.map(([, node]): UpsertNode => node);
  return {
    count: rows.length,
    write: async (tx, now) => {
      await writeNodes(tx, pk, nodeBatch(nodes, pk, now), now);
      return [];
    },
  };
};

/** Which ends of these lines do not exist. */
const rejectionsOf = async (
  tx: Transaction,
  lost: readonly { readonly line: number; readonly row: RelationshipRow }[],
): Promise<readonly Rejection[]> => {
  const missing = await missingEnds(
    tx,
    lost.map(({ row }) => row),
  );
  return lost.map(({ line, row }) => {
    const errors = missing.get(row)?.map((end) => `relationship.${end}`);
    // Another client created an end in between: the line was judged without it.
    return { line, errors: errors ?? ["relationship: an end did not exist"] };
  });
};

const relationshipRows = async (data: Int8Array, { id, pk }: Project): Promise<ChunkRows> => {
  const staged: readonly StagedRow<UpsertRelationship>[] = await unpackRelationships(data);
  const { rows, rowOfItem } = relationshipBatch(
    staged.map(([, relationship]) => relationship),
    id,
    pk,
  );
  return {
    count: staged.length,
    write: async (tx, now) => {
      const found = new Set(await writeRelationships(tx, rows, now));
      if (found.size === rows.length) return [];
      const lost = rowOfItem.flatMap((row, at) =>
        found.has(row) ? [] : [{ line: staged[at]?.[0] ?? 0, row }],
      );
      return rejectionsOf(tx, lost);
    },
  };
};

/** What a chunk needs besides itself. */
export interface ChunkParts {
  readonly staging: Staging;
  readonly project: Project;
  readonly now: () => Date;
  /** Rejected lines that are kept of the import. */
  readonly rejectionsKept: number;
  /** Called after a transaction that had to be repeated. */
  readonly onRepeat: () => void;
}

/**
 * Writes one chunk and removes it in the same transaction: whatever ends a process, a row is written once. Rows of one
 * node or relationship are folded as those of a batch.
 *
 * @returns how many rows it has; undefined when it was another worker's.
 * @throws as `Database.write`.
 */
export const writeChunk = async (
  { staging, project, now, rejectionsKept, onRepeat }: ChunkParts,
  bucket: Bucket,
  { key, data }: StoredChunk,
): Promise<number | undefined> => {
  const rows = await (holdsNodes(bucket.number) ? nodeRows : relationshipRows)(data, project);
  const first = bucketPrefix(staging.prefix, bucket.number);
  let tries = 0;
  try {
    await staging.database.write(
      async (tx) => {
        if (tries++ > 0) onRepeat();
        // Sent together, carried out in this order.
        const locked = tx.run(lockChunkText, { key });
        const taken = tx.run(takeChunkText, { key, first });
        const [, took, rejections] = await Promise.all([locked, taken, rows.write(tx, now().toISOString())]);
        if (took.length === 0) throw new ChunkConflictError();
        if (rejections.length > 0) await staging.reject(tx, bucket.number, rejections, rejectionsKept);
      },
      { timeoutMs },
    );
    return rows.count;
  } catch (error) {
    if (error instanceof ChunkConflictError) return undefined;
    throw error;
  }
};

import type { Database, Row, Transaction } from "@ikg/graph";
import {
  bucketPrefix,
  chunkKey,
  importChunkLabel,
  importPrefix,
  importRejectionLabel,
  type KeyRange,
  notKeptKey,
  prefixRange,
  rejectionKey,
} from "@ikg/physical";
import { partitions } from "./buckets.ts";
import {
  countRejectedText,
  nextChunkText,
  notKeptText,
  rejectedText,
  rejectText,
  removeStagedText,
  stageChunksText,
  waitingText,
} from "./statements.ts";

const timeoutMs = 30_000;
/** Chunks hold up to a megabyte each, rejected lines next to nothing. */
const removedAtOnce = { [importChunkLabel]: 50, [importRejectionLabel]: 2_000 } as const;

/** A chunk as it waits. */
export interface StoredChunk {
  readonly key: string;
  readonly data: Int8Array;
}

/** A line that is not written. */
export interface Rejection {
  readonly line: number;
  readonly errors: readonly string[];
}

/** Rows that are not written yet. */
export interface PendingRows {
  readonly nodes: number;
  readonly relationships: number;
}

/** How many rejected lines are kept, and how many are not. */
export interface RejectionCounts {
  readonly kept: number;
  /** Lines that were not kept while rows were written; those of the upload are counted in its record. */
  readonly more: number;
}

/** What is staged of one import, in the database of its project. */
export interface Staging {
  readonly prefix: string;
  readonly database: Database;
  /** Stages a chunk as the one with this number in its bucket. */
  add(bucket: number, number: number, rows: number, data: Int8Array): Promise<void>;
  /** The first chunk of a bucket after a key; the first of all when it is undefined. */
  next(bucket: number, after: string | undefined): Promise<StoredChunk | undefined>;
  waiting(): Promise<PendingRows>;
  rejected(): Promise<RejectionCounts>;
  rejectedAfter(line: number, limit: number): Promise<readonly Rejection[]>;
  /** The parameter `lines` of `rejectText`. */
  rejectionRows(rejections: readonly Rejection[]): readonly Row[];
  /** Stores the lines of a chunk that are rejected, in its transaction: as many as are kept of an import, the number of the others. */
  reject(tx: Transaction, bucket: number, rejections: readonly Rejection[], kept: number): Promise<void>;
  /** Removes what is staged under a label, a batch per transaction. */
  remove(label: keyof typeof removedAtOnce): Promise<void>;
}

const rejectedOf = (row: Row | undefined): RejectionCounts => ({
  kept: Number(row?.["kept"] ?? 0),
  more: Number(row?.["more"] ?? 0),
});

/** Where the staged nodes of one import are. */
interface StagedRange {
  readonly prefix: string;
  readonly all: KeyRange;
  readonly database: Database;
}

const options = { timeoutMs };

const rejectionRowsOf = (prefix: string, rejections: readonly Rejection[]): readonly Row[] =>
  rejections.map(({ line, errors }) => ({ key: rejectionKey(prefix, line), line, errors }));

const nextChunk = async (
  { prefix, database }: StagedRange,
  bucket: number,
  after: string | undefined,
): Promise<StoredChunk | undefined> => {
  const all = prefixRange(bucketPrefix(prefix, bucket));
  const range = { ...all, after: after ?? all.after };
  for (;;) {
    const [row] = await database.read(nextChunkText, range, options);
    if (row === undefined) return undefined;
    const data = row["data"];
    // A chunk that another worker takes while it is read no longer has data.
    if (data instanceof Int8Array) return { key: String(row["key"]), data };
  }
};

const waitingRows = async ({ prefix, all, database }: StagedRange): Promise<PendingRows> => {
  const relationships = bucketPrefix(prefix, partitions);
  const rows = await database.read(waitingText, { ...all, relationships }, options);
  const rowsOf = (ofRelationships: boolean): number =>
    Number(rows.find((row) => row["relationships"] === ofRelationships)?.["rows"] ?? 0);
  return { nodes: rowsOf(false), relationships: rowsOf(true) };
};

const rejectLines = async (
  { prefix, all }: StagedRange,
  tx: Transaction,
  bucket: number,
  rejections: readonly Rejection[],
  kept: number,
): Promise<void> => {
  const [row] = await tx.run(countRejectedText, { ...all });
  // Writers of other buckets may count at the same moment: then some more are kept.
  const left = Math.max(0, kept - rejectedOf(row).kept);
  const lines = rejectionRowsOf(prefix, rejections.slice(0, left));
  if (lines.length > 0) await tx.run(rejectText, { lines });
  const more = rejections.length - lines.length;
  if (more > 0) await tx.run(notKeptText, { key: notKeptKey(prefix, bucket), more });
};

const removeStaged = async (
  { all, database }: StagedRange,
  label: keyof typeof removedAtOnce,
): Promise<void> => {
  const limit = removedAtOnce[label];
  const text = removeStagedText(label);
  for (;;) {
    const [row] = await database.write((tx) => tx.run(text, { ...all, limit }), options);
    if (Number(row?.["removed"] ?? 0) < limit) return;
  }
};

/** Opens the staging of an import; it sends no statement by itself. */
export const openStaging = (database: Database, projectId: string, importId: string): Staging => {
  const prefix = importPrefix(projectId, importId);
  const all = prefixRange(prefix);
  const range = { prefix, all, database };
  return {
    prefix,
    database,
    add: async (bucket, number, rows, data) => {
      const chunks = [{ key: chunkKey(prefix, bucket, number), rows, data }];
      await database.write((tx) => tx.run(stageChunksText, { chunks }), options);
    },
    next: (bucket, after) => nextChunk(range, bucket, after),
    waiting: () => waitingRows(range),
    rejected: async () => rejectedOf((await database.read(countRejectedText, { ...all }, options))[0]),
    reject: (tx, bucket, rejections, kept) => rejectLines(range, tx, bucket, rejections, kept),
    rejectedAfter: async (line, limit) => {
      const after = rejectionKey(prefix, line);
      const rows = await database.read(rejectedText, { ...all, after, limit }, options);
      return rows.map((row) => ({ line: Number(row["line"]), errors: row["errors"] as string[] })); // as `rejectText` stored them
    },
    rejectionRows: (rejections) => rejectionRowsOf(prefix, rejections),
    remove: (label) => removeStaged(range, label),
  };
};

import type { Database, Row } from "@ikg/graph";
import {
  afterPrefix,
  bucketPrefix,
  chunkKey,
  importChunkLabel,
  importPrefix,
  importRejectionLabel,
  rejectionKey,
} from "@ikg/physical";
import { partitions } from "./buckets.ts";
import {
  countRejectedText,
  nextChunkText,
  rejectedText,
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
export interface Waiting {
  readonly nodes: number;
  readonly relationships: number;
}

/** What is staged of one import, in the database of its project. */
export interface Staging {
  readonly prefix: string;
  readonly database: Database;
  /** Stages a chunk as the one with this number in its bucket. */
  add(bucket: number, number: number, rows: number, data: Int8Array): Promise<void>;
  /** The first chunk of a bucket after a key; the first of all when it is undefined. */
  next(bucket: number, after: string | undefined): Promise<StoredChunk | undefined>;
  waiting(): Promise<Waiting>;
  rejected(): Promise<number>;
  rejectedAfter(line: number, limit: number): Promise<readonly Rejection[]>;
  /** Rejections as their statement wants them. */
  rejectionRows(rejections: readonly Rejection[]): readonly Row[];
  /** Removes what is staged under a label, a batch per transaction. */
  remove(label: keyof typeof removedAtOnce): Promise<void>;
}

/** Opens what is staged of an import; nothing is sent before it is asked. */
export const openStaging = (database: Database, projectId: string, importId: string): Staging => {
  const prefix = importPrefix(projectId, importId);
  const all = { after: prefix, before: afterPrefix(prefix) };
  const options = { timeoutMs };
  return {
    prefix,
    database,
    add: async (bucket, number, rows, data) => {
      const chunks = [{ key: chunkKey(prefix, bucket, number), rows, data }];
      await database.write((tx) => tx.run(stageChunksText, { chunks }), options);
    },
    next: async (bucket, after) => {
      const first = bucketPrefix(prefix, bucket);
      const range = { after: after ?? first, before: afterPrefix(first) };
      for (;;) {
        const [row] = await database.read(nextChunkText, range, options);
        if (row === undefined) return undefined;
        const data = row["data"];
        // One that another worker takes while it is read has no data any more.
        if (data instanceof Int8Array) return { key: String(row["key"]), data };
      }
    },
    waiting: async () => {
      const relationships = bucketPrefix(prefix, partitions);
      const rows = await database.read(waitingText, { ...all, relationships }, options);
      const of = (kind: boolean): number =>
        Number(rows.find((row) => row["relationships"] === kind)?.["rows"] ?? 0);
      return { nodes: of(false), relationships: of(true) };
    },
    rejected: async () => {
      const [row] = await database.read(countRejectedText, all, options);
      return Number(row?.["count"] ?? 0);
    },
    rejectedAfter: async (line, limit) => {
      const range = { ...all, after: rejectionKey(prefix, line), limit };
      const rows = await database.read(rejectedText, range, options);
      return rows.map((row) => ({ line: Number(row["line"]), errors: row["errors"] as string[] })); // as noted
    },
    rejectionRows: (rejections) =>
      rejections.map(({ line, errors }) => ({ key: rejectionKey(prefix, line), line, errors })),
    remove: async (label) => {
      const limit = removedAtOnce[label];
      for (;;) {
        const [row] = await database.write(
          (tx) => tx.run(removeStagedText(label), { ...all, limit }),
          options,
        );
        if (Number(row?.["removed"] ?? 0) < limit) return;
      }
    },
  };
};

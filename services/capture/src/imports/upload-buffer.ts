import { packRows } from "./staged-rows.ts";
import type { Rejection, Staging } from "./staging.ts";
import { rejectText } from "./statements.ts";
import { type RowText, openRowText } from "./row-text.ts";

/**
 * A chunk is full with so many rows, or bytes of their text. It is written by one transaction, whose statements and commit others
 * wait for.
 */
const chunkRows = 250;
const chunkBytes = 512 * 1024;
/** Bytes of text that all buckets of one upload hold at most: beyond, the largest becomes a chunk before it is full. */
const heldBytes = 6 * 1024 * 1024;
/** Chunks that are sent to the database at once. */
const inFlight = 3;
const timeoutMs = 30_000;

/** Rows of one bucket that wait for their chunk to be full. */
interface OpenChunk {
  text: RowText;
  /** Its number in the bucket. */
  number: number;
}

/** Gathers the rows of an import and stages them, a chunk of one bucket at a time. */
export interface UploadBuffer {
  add(bucket: number, row: string): void;
  /** Keeps why a line is rejected, for as many lines as are kept of an import. */
  reject(rejection: Rejection): void;
  /** Resolves when more may be added: so much is held and no more. */
  ready(): Promise<void>;
  /** Stages what is left. */
  finish(): Promise<void>;
  /** Resolves when all sending has ended, whether it failed or not. */
  settled(): Promise<void>;
}

type Send = () => Promise<unknown>;

/** Sends pieces of work in order, a few at once. */
const openSender = () => {
  const waiting: Send[] = [];
  const sending = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const settled = async (): Promise<void> => void (await Promise.all(sending));
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  const ready = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const sent: Promise<unknown> = next()
        .catch((error: unknown) => failures.push(error))
        .finally(() => sending.delete(sent));
      sending.add(sent);
      if (sending.size >= inFlight) await Promise.race(sending);
    }
    throwFailure();
  };
  return {
    push: (send: Send): void => void waiting.push(send),
    settled,
    /** Resolves when everything is sent or being sent. @throws the first failure */
    ready,
    /** Resolves when everything is sent. @throws the first failure */
    finish: async (): Promise<void> => {
      await ready();
      await settled();
      throwFailure();
    },
  };
};

/** Gathers rows into chunks by their buckets, and passes on those that are full. */
const openChunks = (staging: Staging, push: (send: Send) => void, onStaged: (bytes: number) => void) => {
  const chunks = new Map<number, OpenChunk>();
  let held = 0;
  const stage = (bucket: number, chunk: OpenChunk): void => {
    const { text, number } = chunk;
    held -= text.size;
    chunk.text = openRowText();
    chunk.number += 1;
    push(async () => {
      const data = await packRows(text.bytes());
      onStaged(data.length);
      await staging.add(bucket, number, text.rows, data);
    });
  };
  const stageLargest = (): void => {
    let largest: readonly [number, OpenChunk] | undefined;
    for (const each of chunks)
      if (largest === undefined || each[1].text.size > largest[1].text.size) largest = each;
    if (largest !== undefined) stage(...largest);
  };
  return {
    add: (bucket: number, row: string): void => {
      const chunk = chunks.get(bucket) ?? { text: openRowText(), number: 0 };
      chunks.set(bucket, chunk);
      const { text } = chunk;
      const before = text.size;
      text.add(row);
      held += text.size - before;
      if (text.rows === chunkRows || text.size >= chunkBytes) stage(bucket, chunk);
      else if (held > heldBytes) stageLargest();
    },
    stageRest: (): void => {
      for (const [bucket, chunk] of chunks) if (chunk.text.rows > 0) stage(bucket, chunk);
    },
  };
};

/** Gathers rejected lines, as many as are kept of an import. */
const openRejections = (staging: Staging, push: (send: Send) => void, most: number) => {
  let rejections: Rejection[] = [];
  let kept = 0;
  const stageRest = (): void => {
    if (rejections.length === 0) return;
    const lines = staging.rejectionRows(rejections);
    rejections = [];
    push(() => staging.database.write((tx) => tx.run(rejectText, { lines }), { timeoutMs }));
  };
  return {
    add: (rejection: Rejection): void => {
      if (kept === most) return;
      kept += 1;
      rejections.push(rejection);
      if (rejections.length === chunkRows) stageRest();
    },
    stageRest,
  };
};

/**
 * @param rejectionsKept rejected lines that are kept.
 * @param onStaged called with the bytes of each chunk.
 */
export const openUploadBuffer = (
  staging: Staging,
  rejectionsKept: number,
  onStaged: (bytes: number) => void,
): UploadBuffer => {
  const sender = openSender();
  const chunks = openChunks(staging, sender.push, onStaged);
  const rejections = openRejections(staging, sender.push, rejectionsKept);
  return {
    add: chunks.add,
    reject: rejections.add,
    ready: sender.ready,
    finish: async () => {
      chunks.stageRest();
      rejections.stageRest();
      await sender.finish();
    },
    settled: sender.settled,
  };
};

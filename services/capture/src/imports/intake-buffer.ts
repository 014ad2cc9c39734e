import { importLimits } from "@ikg/contracts";
import { packRows } from "./rows.ts";
import type { Rejection, Staging } from "./staging.ts";
import { rejectText } from "./statements.ts";
import { type RowText, openRowText } from "./row-text.ts";

/** A chunk is full with so many rows, or bytes of their text. */
const chunkRows = 1_000;
const chunkBytes = 512 * 1024;
/** Bytes of text that all buckets of one upload hold at most: beyond, the largest becomes a chunk before it is full. */
const heldBytes = 6 * 1024 * 1024;
/** Chunks on their way to the database at once. */
const inFlight = 3;
const timeoutMs = 30_000;

/** Rows of one bucket that wait for their chunk to be full. */
interface Gathering {
  text: RowText;
  /** Chunks that were full before. */
  chunks: number;
}

/** Gathers the rows of an import and stages them, a chunk of one bucket at a time. */
export interface IntakeBuffer {
  add(bucket: number, row: string): void;
  /** Keeps why a line is rejected, for as many lines as are kept of an import. */
  reject(rejection: Rejection): void;
  /** Resolves when more may be added: so much is held and no more. */
  ready(): Promise<void>;
  /** Stages what is left. */
  finish(): Promise<void>;
  /** Resolves when nothing is on its way any more, whatever became of it. */
  settled(): Promise<void>;
}

export const openIntakeBuffer = (staging: Staging): IntakeBuffer => {
  const buckets = new Map<number, Gathering>();
  const full: (() => Promise<unknown>)[] = [];
  const sending = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let rejections: Rejection[] = [];
  let kept = 0;
  let held = 0;

  const hand = (bucket: number, gathering: Gathering): void => {
    const { text, chunks } = gathering;
    held -= text.size;
    gathering.text = openRowText();
    gathering.chunks += 1;
    full.push(async () => staging.add(bucket, chunks, text.rows, await packRows(text.bytes())));
  };
  const handRejections = (): void => {
    const lines = staging.rejectionRows(rejections);
    rejections = [];
    full.push(() => staging.database.write((tx) => tx.run(rejectText, { lines }), { timeoutMs }));
  };
  const handLargest = (): void => {
    let largest: readonly [number, Gathering] | undefined;
    for (const each of buckets)
      if (largest === undefined || each[1].text.size > largest[1].text.size) largest = each;
    if (largest !== undefined) hand(...largest);
  };
  const send = async (): Promise<void> => {
    for (let next = full.shift(); next !== undefined; next = full.shift()) {
      const settled: Promise<unknown> = next()
        .catch((error: unknown) => failures.push(error))
        .finally(() => sending.delete(settled));
      sending.add(settled);
      if (sending.size >= inFlight) await Promise.race(sending);
    }
    if (failures.length > 0) throw failures[0];
  };

  return {
    add: (bucket, row) => {
      let gathering = buckets.get(bucket);
      if (gathering === undefined) {
        gathering = { text: openRowText(), chunks: 0 };
        buckets.set(bucket, gathering);
      }
      const { text } = gathering;
      const before = text.size;
      text.add(row);
      held += text.size - before;
      if (text.rows === chunkRows || text.size >= chunkBytes) hand(bucket, gathering);
      else if (held > heldBytes) handLargest();
    },
    reject: (rejection) => {
      if (kept === importLimits.rejectionsKept) return;
      kept += 1;
      rejections.push(rejection);
      if (rejections.length === chunkRows) handRejections();
    },
    ready: send,
    finish: async () => {
      for (const [bucket, gathering] of buckets) if (gathering.text.rows > 0) hand(bucket, gathering);
      if (rejections.length > 0) handRejections();
      await send();
      await Promise.all(sending);
      if (failures.length > 0) throw failures[0];
    },
    settled: async () => {
      await Promise.all(sending);
    },
  };
};

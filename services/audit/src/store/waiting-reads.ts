import type { Database, Row } from "@ikg/graph";
import { itemOfOutbox, type WaitingItem } from "./waiting-item.ts";
import type { SpilledBatch } from "./chain-state.ts";
import {
  replacedStreamsText,
  outboxCounted,
  outboxSizesText,
  outboxText,
  spillSizesText,
  spillsText,
} from "./chain-statements.ts";

const options = { timeoutMs: 30_000 };

/** Bytes and records that wait for a chain. */
export interface WaitingSize {
  readonly chain: string;
  readonly records: number;
  readonly bytes: number;
}

const sizeOf = (row: Row): WaitingSize => ({
  chain: String(row["chain"]),
  records: Number(row["records"]),
  bytes: Number(row["bytes"]),
});

/** What waits for chains in the database. */
export const waitingReads = (database: Database) => {
  const read = (text: string, params: Row): Promise<Row[]> => database.read(text, params, options);
  return {
    /** Records of a chain that were committed with their change, the oldest first. */
    outbox: async (project: string, limit: number): Promise<readonly WaitingItem[]> => {
      const rows = await read(outboxText, { after: `${project}/`, before: `${project}0`, limit });
      return rows.map((row) =>
        itemOfOutbox(String(row["key"]), String(row["organization"]), String(row["records"])),
      );
    },
    /** Every chain for which records wait in the outbox; of one with very many nodes some are counted. */
    outboxSizes: async (): Promise<readonly WaitingSize[]> => {
      const sizes: WaitingSize[] = [];
      for (let after = ""; ;) {
        const rows = await read(outboxSizesText, { after });
        const found = rows.map(sizeOf);
        sizes.push(...found);
        if (rows.reduce((sum, row) => sum + Number(row["nodes"]), 0) < outboxCounted) return sizes;
        // The nodes that were counted end within the last chain, or with it: the next statement begins behind that.
        after = `${found
          .map(({ chain }) => chain)
          .toSorted()
          .at(-1)}0`;
      }
    },
    spillSizes: async (): Promise<readonly WaitingSize[]> => (await read(spillSizesText, {})).map(sizeOf),
    /** Sealed batches by their keys; those that are there. */
    spilled: async (keys: readonly string[]): Promise<readonly SpilledBatch[]> =>
      (await read(spillsText, { keys })).map((row) => row["s"] as SpilledBatch), // written by `spill`
    /** Chains with a batch since a time, of which the last one came from other streams than these. */
    chainsOfReplacedStreams: async (streams: string, since: string): Promise<readonly string[]> =>
      (await read(replacedStreamsText, { streams, since })).map((row) => String(row["chain"])),
  };
};

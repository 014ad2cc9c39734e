import { inflateRawSync } from "node:zlib";
import type { Database } from "@ikg/graph";

/** An audit record, as tests look into it. */
export interface CommittedRecord {
  readonly id: string;
  readonly type: string;
  readonly status?: number;
  readonly actor: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

const parsed = (text: string): CommittedRecord[] => JSON.parse(text) as CommittedRecord[];

/** Records of a chain that were committed with their changes, whether an audit writer that runs meanwhile took them or not. */
export const committedRecords = async (
  database: Database,
  chain: string,
): Promise<readonly CommittedRecord[]> => {
  const options = { timeoutMs: 60_000 };
  const params = { chain, after: `${chain}@`, before: `${chain}A` };
  const waiting = await database.read(
    "MATCH (o:_AuditOutbox {chain: $chain}) RETURN o.records AS records ORDER BY o.key",
    params,
    options,
  );
  const stored = await database.read(
    "MATCH (b:_AuditBatch) WHERE b.key > $after AND b.key < $before RETURN b.data AS data ORDER BY b.key",
    params,
    options,
  );
  const texts = stored.map((row) => inflateRawSync(Buffer.from(row["data"] as Int8Array)).toString("utf8"));
  return [...texts.flatMap(parsed), ...waiting.flatMap((row) => parsed(String(row["records"])))];
};

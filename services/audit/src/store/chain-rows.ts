import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { AuditKey, type Batch, Checkpoint, Manifest, type StoredEvent } from "@ikg/audit";
import type { Row } from "@ikg/graph";
import { auditKeyKey, auditPlaceKey } from "@ikg/physical";
import type { ChainState, RegisteredKey, SpillState } from "./chain-state.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export const stateOf = (row: Row | undefined): ChainState => {
  const c = (row?.["c"] ?? {}) as Row; // properties of a node
  return {
    project: String(c["project_id"]),
    sequence: Number(c["sequence"]),
    headHash: String(c["head_hash"]),
    position: String(c["position"]),
    fence: Number(c["fence"]),
    kid: typeof c["kid"] === "string" ? c["kid"] : undefined,
    failingSince: typeof c["failing_since"] === "string" ? new Date(c["failing_since"]) : undefined,
    streams: typeof c["streams"] === "string" ? c["streams"] : undefined,
    batchTime: typeof c["batch_time"] === "string" ? c["batch_time"] : undefined,
    spill: {
      first: Number(c["spill_first"] ?? 1),
      count: Number(c["spilled"] ?? 0),
      records: Number(c["spilled_records"] ?? 0),
      bytes: Number(c["spilled_bytes"] ?? 0),
    },
  };
};

export const registration = (project: string, { jwk, provider, keyResource }: RegisteredKey): Row => ({
  key: auditKeyKey(project, jwk.kid),
  project_id: project,
  kid: jwk.kid,
  alg: jwk.alg,
  jwk: JSON.stringify(jwk),
  provider,
  ...(keyResource === undefined ? {} : { key_resource: keyResource }),
});

export const registeredKeyOf = (row: Row): RegisteredKey => {
  const k = row["k"] as Row; // properties of a node
  return {
    jwk: AuditKey.parse(JSON.parse(String(k["jwk"]))),
    provider: String(k["provider"]),
    keyResource: typeof k["key_resource"] === "string" ? k["key_resource"] : undefined,
  };
};

export const manifestOf = (row: Row): Manifest => Manifest.parse(JSON.parse(String(row["manifest"])));

/** A batch as it is stored: its records are compressed. */
export interface PackedBatch {
  readonly manifest: Manifest;
  readonly packed: Buffer;
}

export const packedBatchOf = (row: Row): PackedBatch => {
  const bytes = row["data"] as Int8Array; // written below
  return { manifest: manifestOf(row), packed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
};

const recordsText = async ({ packed }: PackedBatch): Promise<string> =>
  (await inflate(packed)).toString("utf8");

/** What a batch says besides its records: before them and after them. */
const aroundRecords = ({ manifest }: PackedBatch) => {
  const { batch_id, project_id, sequence, data_hash, head_hash, manifest_id, kid, alg, signature } = manifest;
  return {
    before: { batch_id, project_id, sequence },
    after: { hash: data_hash, chain_hash: head_hash, manifest_id, kid, alg, signature },
  };
};

export const batchOf = async (batch: PackedBatch): Promise<Batch> => {
  const { before, after } = aroundRecords(batch);
  const data = JSON.parse(await recordsText(batch)) as StoredEvent[]; // written from events
  return { ...before, data, ...after };
};

/** The JSON of a batch. Its records stay the text that was hashed. */
export const batchText = async (batch: PackedBatch): Promise<string> => {
  const { before, after } = aroundRecords(batch);
  const [start, end] = [JSON.stringify(before).slice(0, -1), JSON.stringify(after).slice(1)];
  return `${start},"data":${await recordsText(batch)},${end}`;
};

export const checkpointOf = (row: Row): Checkpoint => Checkpoint.parse(JSON.parse(String(row["checkpoint"])));

/** What a chain says of its sealed batches; without any it is not in the index of those that have some. */
export const spillRow = ({ first, count, records, bytes }: SpillState): Row => ({
  spill_first: first,
  spilled: count === 0 ? null : count,
  spilled_records: records,
  spilled_bytes: bytes,
});

/** A batch as it is stored; its events are compressed. */
export const batchRow = async (project: string, manifest: Manifest, data: string): Promise<Row> => {
  const bytes = await deflate(Buffer.from(data, "utf8"), { level: 1 });
  return {
    key: auditPlaceKey(project, manifest.sequence),
    manifest: JSON.stringify(manifest),
    data: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    kept_since: manifest.created_at,
  };
};

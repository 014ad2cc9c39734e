import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { AuditKey, type Batch, Checkpoint, Manifest, type StoredEvent } from "@ikg/audit";
import type { Database, Row } from "@ikg/graph";
import { auditKeyKey, auditKeyLabel as keyLabel, takeLock } from "@ikg/physical";
import { batchLabel, chainLabel, checkpointLabel, placeKey } from "./labels.ts";

/** Where a chain ends, and how far its stream is stored. */
export interface ChainState {
  readonly project: string;
  /** Sequence of the last batch; 0 before the first. */
  readonly sequence: number;
  readonly headHash: string;
  /** Id of the last stream entry that is in a batch. */
  readonly position: string;
  /** Of the writer that took the chain last; only that one may write. */
  readonly fence: number;
  /** Key of the last batch. */
  readonly kid: string | undefined;
  /** Since when it cannot be signed; kept, so that it is told of once whichever writers come and go. */
  readonly failingSince: Date | undefined;
}

/** A public key as it is kept for ever. */
export interface RegisteredKey {
  readonly jwk: AuditKey;
  readonly provider: string;
  readonly keyResource: string | undefined;
}

export interface NewBatch {
  readonly manifest: Manifest;
  /** Canonical text of the array of events. */
  readonly data: string;
  /** Id of its last stream entry. */
  readonly position: string;
  readonly key: RegisteredKey;
}

/** Another writer has the chain: whatever this one was about to do is not its business any more. */
export class ChainTaken extends Error {
  override readonly name = "ChainTaken";
}

const options = { timeoutMs: 30_000 };
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const takeText = [
  `MERGE (c:${chainLabel} {project_id: $project})`,
  "ON CREATE SET c += {sequence: 0, head_hash: '', position: '0-0', fence: 0, checkpoint_sequence: 0, checkpoint_time: $now, organization_id: $organization}",
  "SET c.fence = c.fence + 1 RETURN properties(c) AS c",
].join(" ");

const mine = (fields: string): string =>
  [
    `MATCH (c:${chainLabel} {project_id: $project}) ${takeLock("c")}`,
    `WITH c WHERE c.fence = $fence AND ${fields}`,
  ].join(" ");

// The place in the chain is judged in the statement that writes it: no other state is followed.
const appendText = [
  mine("c.sequence = $sequence - 1 AND c.head_hash = $prev"),
  `CREATE (b:${batchLabel}) SET b = $batch`,
  "SET c += {sequence: $sequence, head_hash: $head, position: $position, kid: $kid, failing_since: null}",
  `MERGE (k:${keyLabel} {key: $registered.key}) ON CREATE SET k = $registered, k.first_sequence = $sequence`,
  "SET k.last_sequence = $sequence RETURN c.sequence AS sequence",
].join(" ");

const failingText = [
  mine("c.sequence = $sequence"),
  "SET c.failing_since = $since RETURN c.sequence AS sequence",
].join(" ");

const checkpointText = [
  mine("c.sequence >= $sequence"),
  `CREATE (p:${checkpointLabel}) SET p = $checkpoint`,
  "SET c += {checkpoint_sequence: $sequence, checkpoint_time: $now}",
  `MERGE (k:${keyLabel} {key: $registered.key}) ON CREATE SET k = $registered, k.first_sequence = $sequence, k.last_sequence = $sequence`,
  "RETURN p.key AS key",
].join(" ");

const dueText = [
  `MATCH (c:${chainLabel}) WHERE c.sequence > c.checkpoint_sequence AND c.checkpoint_time < $before`,
  "RETURN c.project_id AS project",
].join(" ");

const page = (label: string, fields: string, order: "ASC" | "DESC", shown: string): string =>
  `MATCH (n:${label}) WHERE n.key > $after AND n.key < $before ${fields} RETURN ${shown} ORDER BY n.key ${order} LIMIT $limit`;

const batchesText = page(
  batchLabel,
  "AND n.data IS NOT NULL",
  "ASC",
  "n.manifest AS manifest, n.data AS data",
);
const manifestsText = page(batchLabel, "", "ASC", "n.manifest AS manifest");
const checkpointsText = page(checkpointLabel, "", "DESC", "n.checkpoint AS checkpoint");
const keysText = `MATCH (k:${keyLabel}) WHERE k.project_id = $project RETURN properties(k) AS k ORDER BY k.first_sequence, k.kid`;
const oneKeyText = `MATCH (k:${keyLabel} {key: $key}) RETURN properties(k) AS k`;
const organizationText = `MATCH (c:${chainLabel} {project_id: $project}) RETURN c.organization_id AS organization`;
const forgetText = [
  `MATCH (b:${batchLabel}) WHERE b.kept_since < $before WITH b LIMIT 500`,
  "REMOVE b.data, b.kept_since RETURN count(b) AS forgotten",
].join(" ");

const stateOf = (row: Row | undefined): ChainState => {
  const c = (row?.["c"] ?? {}) as Row; // properties of a node
  return {
    project: String(c["project_id"]),
    sequence: Number(c["sequence"]),
    headHash: String(c["head_hash"]),
    position: String(c["position"]),
    fence: Number(c["fence"]),
    kid: typeof c["kid"] === "string" ? c["kid"] : undefined,
    failingSince: typeof c["failing_since"] === "string" ? new Date(c["failing_since"]) : undefined,
  };
};

const registration = (project: string, { jwk, provider, keyResource }: RegisteredKey): Row => ({
  key: auditKeyKey(project, jwk.kid),
  project_id: project,
  kid: jwk.kid,
  alg: jwk.alg,
  jwk: JSON.stringify(jwk),
  provider,
  ...(keyResource === undefined ? {} : { key_resource: keyResource }),
});

const registered = (row: Row): RegisteredKey => {
  const k = row["k"] as Row; // properties of a node
  return {
    jwk: AuditKey.parse(JSON.parse(String(k["jwk"]))),
    provider: String(k["provider"]),
    keyResource: typeof k["key_resource"] === "string" ? k["key_resource"] : undefined,
  };
};

const manifestOf = (row: Row): Manifest => Manifest.parse(JSON.parse(String(row["manifest"])));

const batchOf = async (row: Row): Promise<Batch> => {
  const { batch_id, project_id, sequence, data_hash, head_hash, manifest_id, kid, alg, signature } =
    manifestOf(row);
  const bytes = row["data"] as Int8Array; // written below
  const text = await inflate(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return {
    batch_id,
    project_id,
    sequence,
    data: JSON.parse(text.toString("utf8")) as StoredEvent[], // written from events
    hash: data_hash,
    chain_hash: head_hash,
    manifest_id,
    kid,
    alg,
    signature,
  };
};

/** A part of a chain: what stands after a place, or before it. */
export interface PageQuestion {
  readonly project: string;
  /** Sequence of the last one that is known. */
  readonly from: number | undefined;
  readonly limit: number;
}

const last = 10 ** 15 - 1;

/** The stored chains. */
export const storedChains = (database: Database) => {
  const read = (text: string, params: Row): Promise<Row[]> => database.read(text, params, options);
  const upwards = ({ project, from = 0, limit }: PageQuestion): Row => ({
    after: placeKey(project, from),
    before: placeKey(project, last),
    limit,
  });
  return {
    /** Makes this writer the only one of a chain, which begins with it if there is none. */
    take: async (project: string, organization: string): Promise<ChainState> => {
      const now = new Date().toISOString();
      const [row] = await database.write((tx) => tx.run(takeText, { project, organization, now }), options);
      return stateOf(row);
    },
    /** @throws ChainTaken when the chain has moved or belongs to another writer. */
    append: async (state: ChainState, { manifest, data, position, key }: NewBatch): Promise<ChainState> => {
      const { project, fence } = state;
      const { sequence, head_hash: head, kid } = manifest;
      const bytes = await deflate(Buffer.from(data, "utf8"), { level: 1 });
      const batch = {
        key: placeKey(project, sequence),
        manifest: JSON.stringify(manifest),
        data: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        kept_since: manifest.created_at,
      };
      const rows = await database.write(
        (tx) =>
          tx.run(appendText, {
            project,
            fence,
            sequence,
            prev: manifest.prev_hash,
            head,
            position,
            kid,
            batch,
            registered: registration(project, key),
          }),
        options,
      );
      if (rows.length === 0) throw new ChainTaken("another writer has this chain");
      return { project, fence, sequence, headHash: head, position, kid, failingSince: undefined };
    },
    /** @throws ChainTaken */
    markFailing: async (state: ChainState, failingSince: Date): Promise<ChainState> => {
      const { project, fence, sequence } = state;
      const since = failingSince.toISOString();
      const rows = await database.write(
        (tx) => tx.run(failingText, { project, fence, sequence, since }),
        options,
      );
      if (rows.length === 0) throw new ChainTaken("another writer has this chain");
      return { ...state, failingSince };
    },
    /** @throws ChainTaken */
    addCheckpoint: async (state: ChainState, checkpoint: Checkpoint, key: RegisteredKey): Promise<void> => {
      const { project, fence } = state;
      const { sequence, created_at: now } = checkpoint;
      const rows = await database.write(
        (tx) =>
          tx.run(checkpointText, {
            project,
            fence,
            sequence,
            now,
            checkpoint: { key: placeKey(project, sequence), checkpoint: JSON.stringify(checkpoint) },
            registered: registration(project, key),
          }),
        options,
      );
      if (rows.length === 0) throw new ChainTaken("another writer has this chain");
    },
    /** Chains that moved since their last checkpoint, which was made before a time. */
    due: async (before: string): Promise<string[]> =>
      (await read(dueText, { before })).map((row) => String(row["project"])),
    batches: async (question: PageQuestion): Promise<Batch[]> =>
      Promise.all((await read(batchesText, upwards(question))).map(batchOf)),
    manifests: async (question: PageQuestion): Promise<Manifest[]> =>
      (await read(manifestsText, upwards(question))).map(manifestOf),
    /** The newest first. */
    checkpoints: async ({ project, from = last, limit }: PageQuestion): Promise<Checkpoint[]> =>
      (
        await read(checkpointsText, {
          after: placeKey(project, 0),
          before: placeKey(project, from),
          limit,
        })
      ).map((row) => Checkpoint.parse(JSON.parse(String(row["checkpoint"])))),
    keys: async (project: string): Promise<RegisteredKey[]> =>
      (await read(keysText, { project })).map(registered),
    key: async (project: string, kid: string): Promise<RegisteredKey | undefined> =>
      (await read(oneKeyText, { key: auditKeyKey(project, kid) })).map(registered)[0],
    /** The organization of a chain; undefined when there is no chain. */
    organization: async (project: string): Promise<string | undefined> => {
      const [row] = await read(organizationText, { project });
      return row === undefined ? undefined : String(row["organization"]);
    },
    /** Lets go of the records, not of the manifests, of batches that are older; at most 500. */
    forget: async (before: string): Promise<number> => {
      const [row] = await database.write((tx) => tx.run(forgetText, { before }), options);
      return Number(row?.["forgotten"]);
    },
  };
};

export type Chains = ReturnType<typeof storedChains>;

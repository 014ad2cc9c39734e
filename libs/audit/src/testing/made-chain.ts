/** Chains as the audit service stores them, made with keys of a test. */
import { constants, generateKeyPairSync, type KeyObject, sign as signWith } from "node:crypto";
import { newGid, newUuid } from "@ikg/contracts";
import {
  type AuditKey,
  AuditKeys,
  type Batch,
  canonical,
  type Checkpoint,
  detachedSignature,
  type ExportFile,
  headHash,
  linesOf,
  type Manifest,
  type SignatureAlgorithm,
  type StoredEvent,
} from "../index.ts";
import { dataHash } from "../chain/hashes.ts";

export interface TestKey {
  readonly kid: string;
  readonly alg: SignatureAlgorithm;
  readonly jwk: AuditKey;
  readonly sign: (input: Uint8Array) => Promise<Uint8Array>;
}

const curves = { ES256: "P-256", ES384: "P-384" } as const;

const pairOf = (alg: SignatureAlgorithm): { publicKey: KeyObject; privateKey: KeyObject } =>
  alg === "ES256" || alg === "ES384"
    ? generateKeyPairSync("ec", { namedCurve: curves[alg] })
    : generateKeyPairSync("rsa", { modulusLength: 2048 });

export const newKey = (kid: string, alg: SignatureAlgorithm = "ES256"): TestKey => {
  const { publicKey, privateKey } = pairOf(alg);
  const [jwk] = AuditKeys.parse({
    keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" }],
  }).keys;
  if (jwk === undefined) throw new Error("no key");
  return {
    kid,
    alg,
    jwk,
    sign: async (input) =>
      signWith(alg === "ES384" ? "sha384" : "sha256", input, {
        key: privateKey,
        ...(alg === "PS256"
          ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
          : alg === "RS256"
            ? {}
            : { dsaEncoding: "ieee-p1363" as const }),
      }),
  };
};

export interface MadeChain {
  keys: AuditKey[];
  manifests: Manifest[];
  batches: Batch[];
  checkpoints: Checkpoint[];
}

export const newEvent = (text = "x"): StoredEvent => ({
  id: newUuid(),
  time: "2026-06-01T00:00:00.000Z",
  type: "audit.config.create",
  data: { kind: "project", note: text },
});

export const signManifest = async (
  unsigned: Omit<Manifest, "signature">,
  key: TestKey,
): Promise<Manifest> => ({
  ...unsigned,
  signature: await detachedSignature("manifest", unsigned, key.sign),
});

type Link = Pick<Manifest, "project_id" | "sequence" | "prev_hash" | "data_hash" | "batch_id">;

const manifestOf = async (link: Link, key: TestKey): Promise<Manifest> => {
  const { kid, alg } = key;
  const rest = {
    manifest_id: newUuid(),
    head_hash: await headHash(link),
    created_at: "2026-06-01T00:00:05.000Z",
  };
  return signManifest({ ...link, ...rest, kid, alg }, key);
};

const batchOf = (manifest: Manifest, data: Batch["data"]): Batch => {
  const { batch_id, project_id, sequence, manifest_id, kid, alg, signature } = manifest;
  const { data_hash: hash, head_hash: chain_hash } = manifest;
  return { batch_id, project_id, sequence, data, hash, chain_hash, manifest_id, kid, alg, signature };
};

const checkpointOf = async (
  { project_id, sequence, head_hash, kid, alg }: Manifest,
  key: TestKey,
): Promise<Checkpoint> => {
  const unsigned = {
    checkpoint_id: newUuid(),
    project_id,
    sequence,
    head_hash,
    created_at: "2026-06-01T01:00:00.000Z",
    kid,
    alg,
  };
  return { ...unsigned, signature: await detachedSignature("checkpoint", unsigned, key.sign) };
};

/** @param signers the key of each batch. */
export const makeChain = async (signers: readonly TestKey[], events = 2): Promise<MadeChain> => {
  const project_id = newGid("project");
  const chain: MadeChain = {
    keys: [...new Set(signers)].map((key) => key.jwk),
    manifests: [],
    batches: [],
    checkpoints: [],
  };
  let prev_hash = "";
  for (const [index, key] of signers.entries()) {
    const data = Array.from({ length: events }, (_, number) => newEvent(`${index}/${number} ü`));
    const data_hash = await dataHash(data);
    const link = { project_id, sequence: index + 1, prev_hash, data_hash, batch_id: newUuid() };
    const manifest = await manifestOf(link, key);
    chain.manifests.push(manifest);
    chain.batches.push(batchOf(manifest, data));
    prev_hash = manifest.head_hash;
    if (link.sequence === signers.length) chain.checkpoints.push(await checkpointOf(manifest, key));
  }
  return chain;
};

/** The files of an export. */
export const filesOf = (chain: MadeChain): Record<ExportFile, Buffer> => {
  const lines = (items: readonly unknown[]): Buffer =>
    Buffer.from(items.map((item) => `${canonical(item)}\n`).join(""));
  return {
    keys: lines([{ keys: chain.keys }]),
    manifests: lines(chain.manifests),
    batches: lines(chain.batches),
    checkpoints: lines(chain.checkpoints),
  };
};

export const textOf =
  (files: Readonly<Record<ExportFile, Buffer>>) =>
  (file: ExportFile): AsyncIterable<string> =>
    linesOf(
      (async function* () {
        yield files[file];
      })(),
    );

import type { AuditKey, Batch, Checkpoint, Manifest } from "./artefacts.ts";
import { canonical } from "./canonical.ts";
import { headHash, sha256 } from "./hashes.ts";
import { signatureFault, verifyingKey, type VerifyingKey } from "./verify-signature.ts";

/** A check that failed, and of what: `batch 7`, `manifest 7`, `checkpoint <id>`, `key "<kid>"`. */
export interface FailedCheck {
  readonly record: string;
  readonly reason: string;
}

export interface VerifyOptions {
  /**
   * The export is a part of a chain: it may begin later than at 1, lack batches of manifests that it has, hold
   * checkpoints of a part that it lacks, and keys that it does not need.
   */
  readonly partial?: boolean;
}

/** What a check keeps of a manifest. */
type Head = Pick<
  Manifest,
  "manifest_id" | "batch_id" | "data_hash" | "head_hash" | "kid" | "alg" | "signature"
>;

export interface Verified {
  readonly project: string | undefined;
  readonly first: number;
  readonly last: number;
  readonly batches: number;
  readonly events: number;
  readonly checkpoints: number;
  readonly failed: readonly FailedCheck[];
}

/**
 * Verifies a chain: keys first, then manifests in the order of their sequence, then
 * batches and checkpoints in any order, so that a chain of any length goes through without being held.
 */
export interface ChainCheck {
  key(jwk: AuditKey): Promise<void>;
  manifest(manifest: Manifest): Promise<void>;
  /** @param data the canonical text of its events, where it is already there. */
  batch(batch: Batch, data?: string): void;
  checkpoint(checkpoint: Checkpoint): Promise<void>;
  /** What could not even be read. */
  fail(record: string, reason: string): void;
  end(): Verified;
}

export const checkChain = ({ partial = false }: VerifyOptions = {}): ChainCheck => {
  const keys = new Map<string, VerifyingKey>();
  const used = new Set<string>();
  const heads = new Map<number, Head>();
  const seen = new Set<number>();
  const marks = new Set<string>();
  const failed: FailedCheck[] = [];
  let project: string | undefined;
  let before: Manifest | undefined;
  let first = 0;
  let batches = 0;
  let events = 0;
  let checkpoints = 0;

  const fail = (record: string, reason: string): void => void failed.push({ record, reason });
  const sameProject = (record: string, id: string): void => {
    project ??= id;
    if (id !== project) fail(record, "it belongs to another project");
  };

  /** Steps 1 and 2: the place in the chain. */
  const checkPlace = (record: string, manifest: Manifest): void => {
    if (before === undefined) {
      first = manifest.sequence;
      if (manifest.sequence !== 1 && !partial) fail(record, "the chain does not begin at 1");
      if (manifest.sequence === 1 && manifest.prev_hash !== "")
        fail(record, "prev_hash of the first is not empty");
    } else if (manifest.sequence !== before.sequence + 1)
      fail(record, `it follows ${before.sequence}: something is missing or out of order`);
    else if (manifest.prev_hash !== before.head_hash)
      fail(record, "prev_hash is not the head_hash before it");
    if (headHash(manifest) !== manifest.head_hash) fail(record, "head_hash is not that of its fields");
  };

  return {
    fail,
    key: async (jwk) => {
      if (keys.has(jwk.kid)) fail(`key "${jwk.kid}"`, "there are two of this kid");
      try {
        keys.set(jwk.kid, await verifyingKey(jwk));
      } catch {
        fail(`key "${jwk.kid}"`, "it is no public key");
      }
    },
    manifest: async (manifest) => {
      const record = `manifest ${manifest.sequence}`;
      sameProject(record, manifest.project_id);
      checkPlace(record, manifest);
      const fault = await signatureFault("manifest", manifest, keys);
      if (fault !== undefined) fail(record, fault);
      used.add(manifest.kid);
      before = manifest;
      const { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature } = manifest;
      heads.set(manifest.sequence, { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature });
    },
    batch: (batch, data = canonical(batch.data)) => {
      const record = `batch ${batch.sequence}`;
      batches += 1;
      events += batch.data.length;
      sameProject(record, batch.project_id);
      if (seen.has(batch.sequence)) fail(record, "there are two of this sequence");
      seen.add(batch.sequence);
      if (sha256(data) !== batch.hash) fail(record, "hash is not that of its events");
      const head = heads.get(batch.sequence);
      if (head === undefined) {
        fail(record, "it has no manifest");
        return;
      }
      const differs = [
        [batch.hash, head.data_hash, "hash"],
        [batch.chain_hash, head.head_hash, "chain_hash"],
        [batch.batch_id, head.batch_id, "batch_id"],
        [batch.manifest_id, head.manifest_id, "manifest_id"],
        [batch.kid, head.kid, "kid"],
        [batch.alg, head.alg, "alg"],
        [batch.signature, head.signature, "signature"],
      ].filter(([ours, theirs]) => ours !== theirs);
      for (const [, , name] of differs) fail(record, `${name} is not that of its manifest`);
    },
    checkpoint: async (checkpoint) => {
      const record = `checkpoint ${checkpoint.checkpoint_id}`;
      checkpoints += 1;
      if (marks.has(checkpoint.checkpoint_id)) fail(record, "there are two of this id");
      marks.add(checkpoint.checkpoint_id);
      sameProject(record, checkpoint.project_id);
      const fault = await signatureFault("checkpoint", checkpoint, keys);
      if (fault !== undefined) fail(record, fault);
      used.add(checkpoint.kid);
      const head = heads.get(checkpoint.sequence);
      if (head !== undefined) {
        if (head.head_hash !== checkpoint.head_hash) fail(record, "head_hash is not that of its manifest");
      } else if (!partial)
        fail(
          record,
          `the chain has no manifest ${checkpoint.sequence}: it was cut off below this checkpoint`,
        );
    },
    end: () => {
      if (!partial) {
        for (const sequence of heads.keys())
          if (!seen.has(sequence)) fail(`batch ${sequence}`, "it is missing");
        for (const kid of keys.keys()) if (!used.has(kid)) fail(`key "${kid}"`, "it signed nothing here");
      }
      return { project, first, last: before?.sequence ?? 0, batches, events, checkpoints, failed };
    },
  };
};

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

/** What a batch and its manifest state alike: the value of each, and the name of the batch's field. */
const differingFields = (batch: Batch, head: Head): readonly string[] =>
  (
    [
      [batch.hash, head.data_hash, "hash"],
      [batch.chain_hash, head.head_hash, "chain_hash"],
      [batch.batch_id, head.batch_id, "batch_id"],
      [batch.manifest_id, head.manifest_id, "manifest_id"],
      [batch.kid, head.kid, "kid"],
      [batch.alg, head.alg, "alg"],
      [batch.signature, head.signature, "signature"],
    ] as const
  )
    .filter(([ofBatch, ofManifest]) => ofBatch !== ofManifest)
    .map(([, , name]) => name);

class Chain implements ChainCheck {
  readonly #isPartial: boolean;
  readonly #keys = new Map<string, VerifyingKey>();
  readonly #usedKids = new Set<string>();
  readonly #heads = new Map<number, Head>();
  readonly #batches = new Set<number>();
  readonly #checkpoints = new Set<string>();
  readonly #failed: FailedCheck[] = [];
  #project: string | undefined;
  #last: Manifest | undefined;
  #first = 0;
  #batchCount = 0;
  #eventCount = 0;
  #checkpointCount = 0;

  constructor(isPartial: boolean) {
    this.#isPartial = isPartial;
  }

  fail(record: string, reason: string): void {
    this.#failed.push({ record, reason });
  }

  async key(jwk: AuditKey): Promise<void> {
    const record = `key "${jwk.kid}"`;
    if (this.#keys.has(jwk.kid)) this.fail(record, "there are two of this kid");
    try {
      this.#keys.set(jwk.kid, await verifyingKey(jwk));
    } catch {
      this.fail(record, "it is no public key");
    }
  }

  async manifest(manifest: Manifest): Promise<void> {
    const record = `manifest ${manifest.sequence}`;
    this.#checkProject(record, manifest.project_id);
    this.#checkPlace(record, manifest);
    const fault = await signatureFault("manifest", manifest, this.#keys);
    if (fault !== undefined) this.fail(record, fault);
    this.#usedKids.add(manifest.kid);
    this.#last = manifest;
    const { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature } = manifest;
    this.#heads.set(manifest.sequence, { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature });
  }

  batch(batch: Batch, data: string = canonical(batch.data)): void {
    const record = `batch ${batch.sequence}`;
    this.#batchCount += 1;
    this.#eventCount += batch.data.length;
    this.#checkProject(record, batch.project_id);
    if (this.#batches.has(batch.sequence)) this.fail(record, "there are two of this sequence");
    this.#batches.add(batch.sequence);
    if (sha256(data) !== batch.hash) this.fail(record, "hash is not that of its events");
    const head = this.#heads.get(batch.sequence);
    if (head === undefined) this.fail(record, "it has no manifest");
    else
      for (const name of differingFields(batch, head))
        this.fail(record, `${name} is not that of its manifest`);
  }

  async checkpoint(checkpoint: Checkpoint): Promise<void> {
    const { checkpoint_id: id, sequence } = checkpoint;
    const record = `checkpoint ${id}`;
    this.#checkpointCount += 1;
    if (this.#checkpoints.has(id)) this.fail(record, "there are two of this id");
    this.#checkpoints.add(id);
    this.#checkProject(record, checkpoint.project_id);
    const fault = await signatureFault("checkpoint", checkpoint, this.#keys);
    if (fault !== undefined) this.fail(record, fault);
    this.#usedKids.add(checkpoint.kid);
    const head = this.#heads.get(sequence);
    if (head !== undefined) {
      if (head.head_hash !== checkpoint.head_hash) this.fail(record, "head_hash is not that of its manifest");
    } else if (!this.#isPartial)
      this.fail(record, `the chain has no manifest ${sequence}: it was cut off below this checkpoint`);
  }

  end(): Verified {
    if (!this.#isPartial) this.#checkCompleteness();
    return {
      project: this.#project,
      first: this.#first,
      last: this.#last?.sequence ?? 0,
      batches: this.#batchCount,
      events: this.#eventCount,
      checkpoints: this.#checkpointCount,
      failed: this.#failed,
    };
  }

  #checkProject(record: string, id: string): void {
    this.#project ??= id;
    if (id !== this.#project) this.fail(record, "it belongs to another project");
  }

  /** The place of a manifest in the chain. */
  #checkPlace(record: string, manifest: Manifest): void {
    const before = this.#last;
    if (before === undefined) {
      this.#first = manifest.sequence;
      if (manifest.sequence !== 1 && !this.#isPartial) this.fail(record, "the chain does not begin at 1");
      if (manifest.sequence === 1 && manifest.prev_hash !== "")
        this.fail(record, "prev_hash of the first is not empty");
    } else if (manifest.sequence !== before.sequence + 1)
      this.fail(record, `it follows ${before.sequence}: something is missing or out of order`);
    else if (manifest.prev_hash !== before.head_hash)
      this.fail(record, "prev_hash is not the head_hash before it");
    if (headHash(manifest) !== manifest.head_hash) this.fail(record, "head_hash is not that of its fields");
  }

  #checkCompleteness(): void {
    for (const sequence of this.#heads.keys())
      if (!this.#batches.has(sequence)) this.fail(`batch ${sequence}`, "it is missing");
    for (const kid of this.#keys.keys())
      if (!this.#usedKids.has(kid)) this.fail(`key "${kid}"`, "it signed nothing here");
  }
}

export const checkChain = ({ partial = false }: VerifyOptions = {}): ChainCheck => new Chain(partial);

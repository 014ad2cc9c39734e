import type { AuditKey, Batch, Checkpoint, Manifest } from "./artefacts.ts";
import { canonical } from "./canonical.ts";
import { headHash, sha256 } from "./hashes.ts";
import { signatureFault, verifyingKey, type VerifyingKey } from "./verify-signature.ts";

/** A failed check and its record: `batch 7`, `manifest 7`, `checkpoint <id>` or `key "<kid>"`. */
export interface FailedCheck {
  readonly record: string;
  readonly reason: string;
  /** The sequence in the chain, where the record has one; of a checkpoint the sequence that it states. */
  readonly sequence?: number;
}

export interface VerifyOptions {
  /**
   * The export is a part of a chain: it may begin later than at 1, lack batches of manifests that it has, hold
   * checkpoints of a part that it lacks, and keys that it does not need.
   */
  readonly partial?: boolean;
  /** Called with each check that failed, at once. */
  readonly onFailed?: (failed: FailedCheck) => void;
}

/** The fields of a manifest that later checks need. */
type Head = Pick<
  Manifest,
  "manifest_id" | "batch_id" | "data_hash" | "head_hash" | "kid" | "alg" | "signature"
>;

export interface ChainVerification {
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
 * batches and checkpoints in any order, so that a chain of any length is verified without holding it in memory.
 */
export interface ChainCheck {
  key(jwk: AuditKey): Promise<void>;
  manifest(manifest: Manifest): Promise<void>;
  /** @param data the canonical text of its events, where it is already there. */
  batch(batch: Batch, data?: string): Promise<void>;
  checkpoint(checkpoint: Checkpoint): Promise<void>;
  /** Reports a record that could not be read. */
  fail(record: string, reason: string, sequence?: number): void;
  end(): ChainVerification;
}

/** Fields of a batch that differ from those of its manifest. */
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

type Fail = (reason: string) => void;

class Chain implements ChainCheck {
  readonly #isPartial: boolean;
  readonly #onFailed: (failed: FailedCheck) => void;
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

  constructor({ partial = false, onFailed = () => undefined }: VerifyOptions) {
    this.#isPartial = partial;
    this.#onFailed = onFailed;
  }

  fail(record: string, reason: string, sequence?: number): void {
    const failed = { record, reason, ...(sequence !== undefined && { sequence }) };
    this.#failed.push(failed);
    this.#onFailed(failed);
  }

  async key(jwk: AuditKey): Promise<void> {
    const record = `key "${jwk.kid}"`;
    if (this.#keys.has(jwk.kid)) this.fail(record, "duplicate kid");
    try {
      this.#keys.set(jwk.kid, await verifyingKey(jwk));
    } catch {
      this.fail(record, "not a valid public key");
    }
  }

  async manifest(manifest: Manifest): Promise<void> {
    const fail = this.#failureOf("manifest", manifest.sequence);
    this.#checkProject(fail, manifest.project_id);
    this.#checkPlace(fail, manifest);
    if ((await headHash(manifest)) !== manifest.head_hash)
      fail("head_hash does not match the manifest's fields");
    const fault = await signatureFault("manifest", manifest, this.#keys);
    if (fault !== undefined) fail(fault);
    this.#usedKids.add(manifest.kid);
    this.#last = manifest;
    const { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature } = manifest;
    this.#heads.set(manifest.sequence, { manifest_id, batch_id, data_hash, head_hash, kid, alg, signature });
  }

  async batch(batch: Batch, data: string = canonical(batch.data)): Promise<void> {
    const fail = this.#failureOf("batch", batch.sequence);
    this.#batchCount += 1;
    this.#eventCount += batch.data.length;
    this.#checkProject(fail, batch.project_id);
    if (this.#batches.has(batch.sequence)) fail("duplicate sequence");
    this.#batches.add(batch.sequence);
    if ((await sha256(data)) !== batch.hash) fail("hash does not match the events");
    const head = this.#heads.get(batch.sequence);
    if (head === undefined) fail("it has no manifest");
    else for (const name of differingFields(batch, head)) fail(`${name} differs from the manifest`);
  }

  async checkpoint(checkpoint: Checkpoint): Promise<void> {
    const { checkpoint_id: id, sequence } = checkpoint;
    const fail: Fail = (reason) => this.fail(`checkpoint ${id}`, reason, sequence);
    this.#checkpointCount += 1;
    if (this.#checkpoints.has(id)) fail("duplicate checkpoint_id");
    this.#checkpoints.add(id);
    this.#checkProject(fail, checkpoint.project_id);
    const fault = await signatureFault("checkpoint", checkpoint, this.#keys);
    if (fault !== undefined) fail(fault);
    this.#usedKids.add(checkpoint.kid);
    const head = this.#heads.get(sequence);
    if (head !== undefined) {
      if (head.head_hash !== checkpoint.head_hash) fail("head_hash differs from the manifest");
    } else if (!this.#isPartial)
      fail(`the chain has no manifest ${sequence}: it was cut off below this checkpoint`);
  }

  end(): ChainVerification {
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

  #failureOf(kind: "manifest" | "batch", sequence: number): Fail {
    return (reason) => this.fail(`${kind} ${sequence}`, reason, sequence);
  }

  #checkProject(fail: Fail, id: string): void {
    this.#project ??= id;
    if (id !== this.#project) fail("it belongs to another project");
  }

  /** The place of a manifest in the chain. */
  #checkPlace(fail: Fail, manifest: Manifest): void {
    const before = this.#last;
    if (before === undefined) {
      this.#first = manifest.sequence;
      if (manifest.sequence !== 1 && !this.#isPartial) fail("the chain does not begin at 1");
      if (manifest.sequence === 1 && manifest.prev_hash !== "") fail("prev_hash of the first is not empty");
    } else if (manifest.sequence !== before.sequence + 1)
      fail(`it follows ${before.sequence}: something is missing or out of order`);
    else if (manifest.prev_hash !== before.head_hash) fail("prev_hash is not the head_hash before it");
  }

  #checkCompleteness(): void {
    for (const sequence of this.#heads.keys())
      if (!this.#batches.has(sequence)) this.#failureOf("batch", sequence)("it is missing");
    for (const kid of this.#keys.keys())
      if (!this.#usedKids.has(kid))
        this.fail(`key "${kid}"`, "unused: no artefact of this export is signed with it");
  }
}

export const checkChain = (options: VerifyOptions = {}): ChainCheck => new Chain(options);

import type { AuditKey, Manifest } from "@ikg/audit";

/** Where a chain ends, and how far its stream is stored. */
export interface ChainState {
  readonly project: string;
  /** Sequence of the last batch; 0 before the first. */
  readonly sequence: number;
  readonly headHash: string;
  /** Id of the last stream entry that is in a batch. */
  readonly position: string;
  /** Fence of the writer that took the chain last; only that one may write. */
  readonly fence: number;
  /** Key of the last batch. */
  readonly kid: string | undefined;
  /** Since when it cannot be signed; kept, so that it is recorded once, whichever writer has the chain. */
  readonly failingSince: Date | undefined;
}

/** A public key as it is kept forever. */
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

/** Another writer has the chain, so this one must not write to it. */
export class ChainTaken extends Error {
  override readonly name = "ChainTaken";
}

import type { AuditKey, Manifest } from "@ikg/audit";

/** The end of a chain, and how far its stream is stored. */
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
  /** The streams that its last batch was taken from; undefined before the first one, or of an earlier release. */
  readonly streams: string | undefined;
  /** When its last batch was signed. */
  readonly batchTime: string | undefined;
  /** Batches that wait in the database because they cannot be signed. */
  readonly spill: SpillState;
}

/** Sealed batches of a chain, in order, that are not signed yet. */
export interface SpillState {
  /** Number of the first one; they follow each other without a gap. */
  readonly first: number;
  readonly count: number;
  readonly records: number;
  /** Of the records. */
  readonly bytes: number;
}

/** A public key as it is kept forever. */
export interface RegisteredKey {
  readonly jwk: AuditKey;
  readonly provider: string;
  readonly keyResource: string | undefined;
}

/** Entries that a stored or sealed batch consumes. */
export interface ConsumedEntries {
  /** Id of the last stream entry; undefined when there is none. */
  readonly position: string | undefined;
  /** Keys of records that were committed with their change. */
  readonly outbox: readonly string[];
}

export interface NewBatch extends ConsumedEntries {
  readonly manifest: Manifest;
  /** Canonical text of the array of events. */
  readonly data: string;
  readonly key: RegisteredKey;
  /** The current streams. */
  readonly streams: string;
  /** The sealed batch that it was; the first one of the chain. */
  readonly spilled?: SpilledBatch | undefined;
}

/** A batch that waits, sealed, for a signature. */
export interface SpilledBatch {
  readonly key: string;
  readonly records: number;
  /** Of the records. */
  readonly bytes: number;
  readonly sealed: string;
}

/** Another writer has the chain, so this one must not write to it. */
export class ChainOwnershipLost extends Error {
  override readonly name = "ChainOwnershipLost";
}

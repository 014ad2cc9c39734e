import type { Turn } from "./fair-turns.ts";

/** Records that wait, and their bytes. */
export interface PendingRecords {
  readonly records: number;
  readonly bytes: number;
}

/** The waiting records of one chain. */
export interface WaitingChain extends PendingRecords {
  /**
   * When this process first saw some of them, or last stored or sealed some itself, in milliseconds of `now`. Batches of another
   * process do not change it.
   */
  readonly since: number;
  /** The waiting records of all projects use a large part of the bytes allowed in Redis. */
  readonly isRedisFilling: boolean;
  /** Sealed batches wait in the database. */
  readonly isSpilled: boolean;
  /** Its last batch came from streams that were replaced since, which the chain must record even if no record waits. */
  readonly hasReplacedStreams: boolean;
}

/** What a turn of a chain did, and what it took from the records that wait: stored, sealed, or removed as unreadable. */
export interface ChainTurn extends Turn {
  readonly consumed: PendingRecords;
}

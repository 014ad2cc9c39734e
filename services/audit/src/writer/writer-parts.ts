import type { AuditRecord } from "@ikg/audit";
import type { Redis } from "ioredis";
import type { SigningParts } from "./sign.ts";
import type { Streams } from "./streams.ts";
import type { PendingRecords } from "./waiting-records.ts";

/** What writers of chains work with. */
export interface WriterParts extends SigningParts {
  readonly redis: Redis;
  readonly settings: {
    readonly batchMs: number;
    readonly retryMinMs: number;
    readonly retryMaxMs: number;
    /** Bytes of sealed batches of one chain at most. */
    readonly spilledBytes: number;
  };
  /** The current streams. */
  readonly streams: () => Streams;
  readonly log: {
    info(message: string, fields: Readonly<Record<string, unknown>>): unknown;
    warn(message: string, fields: Readonly<Record<string, unknown>>): unknown;
    error(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  };
  readonly emit: (record: AuditRecord, organization: string) => Promise<void>;
  readonly metrics: {
    stored(events: number): void;
    /** Chains with records that wait. */
    waiting(chains: ReadonlyMap<string, PendingRecords>): void;
    /** Bytes of those that wait in the database for a signature. */
    spilled(bytes: number): void;
    failed(reason: string): void;
  };
  readonly now: () => Date;
}

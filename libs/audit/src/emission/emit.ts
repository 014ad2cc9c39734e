import type { Redis } from "ioredis";
import { maxRecordBytes } from "../records/fit-record.ts";
import type { AuditRecord } from "../records/record.ts";
import { appendEntries } from "./scripts.ts";

/** Stores records before responses are sent. */
export interface Emission {
  /**
   * Resolves when the record is stored, or is lost or may be: at the latest after the deadline. It never rejects, since
   * a response is not withheld because its record is missing.
   */
  readonly emit: (record: AuditRecord, organization: string) => Promise<void>;
}

interface Emitted {
  readonly record: AuditRecord;
  readonly organization: string;
  /** The record as JSON. */
  readonly text: string;
  readonly bytes: number;
}

/** Why a record is lost. `project_full` and `all_full`: the bound of waiting bytes is reached. */
type LossReason =
  | "too_large"
  | "project_full"
  | "all_full"
  | "process_full"
  | "not_connected"
  | "deadline"
  | "refused";

export interface EmissionParts {
  readonly redis: Redis;
  readonly log: { error(message: string, fields: Readonly<Record<string, unknown>>): unknown };
  /** Milliseconds that a response waits for its record at most. */
  readonly deadlineMs: number;
  /** Lifts the bounds of waiting bytes. */
  readonly unbounded?: boolean;
  readonly onLost: () => void;
}

/** States of a connection in which a command would only wait for the next attempt to connect. */
const disconnected = new Set(["reconnecting", "close", "end"]);

/** Bound of one process for records that Redis has not acknowledged yet. */
const maxBytesInFlight = 32 * 1024 * 1024;

/** Codes of Redis such as OOM or WRONGTYPE; the rest of its message may quote what was sent. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? /\b[A-Z]{3,}\b/.exec(error.message)?.[0] : undefined;

const byChain = (records: readonly Emitted[]): Map<string, Emitted[]> => {
  const chains = new Map<string, Emitted[]>();
  for (const emitted of records) {
    const chain = chains.get(emitted.record.project_id);
    if (chain === undefined) chains.set(emitted.record.project_id, [emitted]);
    else chain.push(emitted);
  }
  return chains;
};

class RedisEmission {
  readonly #parts: EmissionParts;
  #waiting: Emitted[] = [];
  #flight: Promise<void> | undefined;
  /** Bytes that were sent and not acknowledged yet. */
  #bytesInFlight = 0;

  constructor(parts: EmissionParts) {
    this.#parts = parts;
  }

  enqueue(record: AuditRecord, organization: string): Promise<void> {
    const text = JSON.stringify(record);
    this.#waiting.push({ record, organization, text, bytes: Buffer.byteLength(text) });
    return (this.#flight ??= new Promise((resolve) => {
      setImmediate(() => {
        const records = this.#waiting;
        this.#waiting = [];
        this.#flight = undefined;
        void this.#send(records).then(resolve);
      });
    }));
  }

  async #send(records: readonly Emitted[]): Promise<void> {
    const sendable = records.filter((emitted) => {
      const reason = this.#obstacleTo(emitted.bytes);
      if (reason !== undefined) this.#lose(emitted, reason);
      return reason === undefined;
    });
    await Promise.all([...byChain(sendable)].map(([chain, each]) => this.#sendChain(chain, each)));
  }

  #obstacleTo(bytes: number): LossReason | undefined {
    if (bytes > maxRecordBytes) return "too_large";
    if (disconnected.has(this.#parts.redis.status)) return "not_connected";
    return this.#bytesInFlight + bytes > maxBytesInFlight ? "process_full" : undefined;
  }

  async #sendChain(chain: string, records: readonly Emitted[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const appended = this.#append(chain, records);
      const deadline = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), this.#parts.deadlineMs);
      });
      const results = await Promise.race([appended, deadline]);
      records.forEach((emitted, index) => {
        const result = results?.[index];
        if (results === undefined) this.#lose(emitted, "deadline");
        else if (result !== "waits") this.#lose(emitted, result ?? "refused");
      });
    } catch (error) {
      for (const emitted of records) this.#lose(emitted, "refused", codeOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  #append(chain: string, records: readonly Emitted[]): ReturnType<typeof appendEntries> {
    const { redis, unbounded = false } = this.#parts;
    const bytes = records.reduce((sum, each) => sum + each.bytes, 0);
    const entries = records.map(({ text, organization }) => [text, organization] as const);
    this.#bytesInFlight += bytes;
    const appended = appendEntries(redis, chain, entries, unbounded).finally(() => {
      this.#bytesInFlight -= bytes;
    });
    // Late results are ignored.
    appended.catch(() => undefined);
    return appended;
  }

  /** Values of records never reach the log. */
  #lose(emitted: Emitted, reason: LossReason, code?: string): void {
    const { record, organization, bytes } = emitted;
    const { log, onLost } = this.#parts;
    onLost();
    const { id, type, time, project_id: project } = record;
    const known = { id, type, time, project, organization, bytes, reason };
    log.error("an audit record is lost", {
      audit_lost: true,
      ...known,
      ...(code === undefined ? {} : { code }),
    });
  }
}

/**
 * Records of one chain and one turn of the event loop are sent as one command, so that under load a request costs no
 * round trip of its own.
 */
export const openEmission = (parts: EmissionParts): Emission => {
  const emission = new RedisEmission(parts);
  return {
    emit: (record, organization) => emission.enqueue(record, organization),
  };
};

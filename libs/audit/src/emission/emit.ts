import type { Redis } from "ioredis";
import { maxRecordBytes } from "../records/fit-record.ts";
import type { AuditRecord } from "../records/record.ts";
import { appendEntries } from "./scripts.ts";

/** Keeps records before answers are sent. */
export interface Emission {
  /**
   * Resolves when the record is kept, or is lost or may be: at the latest after the deadline. It never rejects, since
   * an answer is not withheld for want of its record.
   */
  readonly emit: (record: AuditRecord, organization: string) => Promise<void>;
  /**
   * Sends a record that its caller has until it is kept. It never rejects.
   *
   * @returns false when it may not be kept, so that it is to be offered again; it is not counted as lost.
   */
  readonly offer: (record: AuditRecord, organization: string) => Promise<boolean>;
}

interface Emitted {
  readonly record: AuditRecord;
  readonly organization: string;
  /** The record as JSON. */
  readonly text: string;
  readonly bytes: number;
  /** Told whether it is kept, where its caller still has it. */
  readonly settle: ((kept: boolean) => void) | undefined;
}

/** Why a record is lost. `project_full` and `all_full`: so many bytes wait already as may. */
type LossReason =
  "too_large" | "project_full" | "all_full" | "process_full" | "not_connected" | "deadline" | "refused";

export interface EmissionParts {
  readonly redis: Redis;
  readonly log: { error(message: string, fields: Readonly<Record<string, unknown>>): unknown };
  /** Milliseconds that an answer waits for its record at most. */
  readonly deadlineMs: number;
  /** The bounds of bytes that wait do not apply. */
  readonly unbounded?: boolean;
  readonly onLost: () => void;
}

/** States of a connection in which a command would only wait for the next attempt to connect. */
const away = new Set(["reconnecting", "close", "end"]);

/** Records on their way to a Redis that is slow, of one process. */
const maxBytesOnTheWay = 32 * 1024 * 1024;

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

/**
 * Records of one chain and one turn of the event loop go out as one command, so that a request pays for no round trip
 * of its own under load.
 */
export const openEmission = (parts: EmissionParts): Emission => {
  const { redis, log, deadlineMs, unbounded = false, onLost } = parts;
  let waiting: Emitted[] = [];
  let flight: Promise<void> | undefined;
  let bytesOnTheWay = 0;

  /** Values of records never reach the log. */
  const lose = (emitted: Emitted, reason: LossReason, code?: string): void => {
    const { record, organization, bytes, settle } = emitted;
    if (settle !== undefined) {
      settle(false);
      return;
    }
    onLost();
    const { id, type, time, project_id: project } = record;
    const known = { id, type, time, project, organization, bytes, reason };
    log.error("an audit record is lost", {
      audit_lost: true,
      ...known,
      ...(code === undefined ? {} : { code }),
    });
  };

  const sendChain = async (chain: string, records: readonly Emitted[]): Promise<void> => {
    let late: NodeJS.Timeout | undefined;
    const bytes = records.reduce((sum, each) => sum + each.bytes, 0);
    bytesOnTheWay += bytes;
    try {
      const entries = records.map(({ text, organization }) => [text, organization] as const);
      const answered = appendEntries(redis, chain, entries, unbounded).finally(() => {
        bytesOnTheWay -= bytes;
      });
      // Late results are ignored.
      answered.catch(() => undefined);
      const deadline = new Promise<undefined>((resolve) => {
        late = setTimeout(() => resolve(undefined), deadlineMs);
      });
      const answers = await Promise.race([answered, deadline]);
      records.forEach((emitted, index) => {
        const answer = answers?.[index];
        if (answers === undefined) lose(emitted, "deadline");
        else if (answer !== "waits") lose(emitted, answer ?? "refused");
        else emitted.settle?.(true);
      });
    } catch (error) {
      for (const emitted of records) lose(emitted, "refused", codeOf(error));
    } finally {
      clearTimeout(late);
    }
  };

  const send = async (records: readonly Emitted[]): Promise<void> => {
    const sendable = records.filter((emitted) => {
      if (emitted.bytes > maxRecordBytes) lose(emitted, "too_large");
      else if (away.has(redis.status)) lose(emitted, "not_connected");
      else if (bytesOnTheWay + emitted.bytes > maxBytesOnTheWay) lose(emitted, "process_full");
      else return true;
      return false;
    });
    await Promise.all([...byChain(sendable)].map(([chain, each]) => sendChain(chain, each)));
  };

  const enqueue = (record: AuditRecord, organization: string, settle?: Emitted["settle"]): Promise<void> => {
    const text = JSON.stringify(record);
    waiting.push({ record, organization, text, bytes: Buffer.byteLength(text), settle });
    return (flight ??= new Promise((resolve) => {
      setImmediate(() => {
        const records = waiting;
        waiting = [];
        flight = undefined;
        void send(records).then(resolve);
      });
    }));
  };

  return {
    emit: (record, organization) => enqueue(record, organization),
    offer: (record, organization) => new Promise((resolve) => void enqueue(record, organization, resolve)),
  };
};

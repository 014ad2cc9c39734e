import type { Redis } from "ioredis";
import type { AuditRecord } from "../records/record.ts";
import { chainsKey, organizationField, recordField, streamKey } from "./stream.ts";

/** Keeps records before answers are sent. */
export interface Emission {
  /**
   * Resolves when the record is kept, or is known or feared to be lost: at the latest after the deadline. It never
   * rejects, since an answer is not withheld for want of its record (runtime specification 5.2).
   */
  readonly emit: (record: AuditRecord, organization: string) => Promise<void>;
}

interface Emitted {
  readonly record: AuditRecord;
  readonly organization: string;
}

export interface EmissionParts {
  readonly redis: Redis;
  readonly log: { error(message: string, fields: Readonly<Record<string, unknown>>): unknown };
  /** Milliseconds that an answer waits for its record at most. */
  readonly deadlineMs: number;
  /** Records that may wait in one stream; while nobody stores them what comes more is lost, and Redis stays usable. */
  readonly mostWaiting: number;
  readonly onLost: () => void;
}

/** States of a connection in which a command would only wait for the next attempt to connect. */
const away = new Set(["reconnecting", "close", "end"]);

/**
 * Records of one turn of the event loop go out as one pipeline, so that a request pays for no round trip of its own
 * under load.
 */
export const openEmission = ({ redis, log, deadlineMs, mostWaiting, onLost }: EmissionParts): Emission => {
  let waiting: Emitted[] = [];
  let flight: Promise<void> | undefined;
  /** Chains whose streams were full when they were last looked at. */
  const full = new Set<string>();

  const lose = (records: readonly Emitted[], error: unknown): void => {
    for (const { record } of records) {
      onLost();
      log.error("an audit record is lost", { audit_lost: true, record, error });
    }
  };

  const send = async (records: readonly Emitted[]): Promise<void> => {
    if (away.has(redis.status)) {
      lose(records, new Error("redis is not connected"));
      return;
    }
    const chains = [...new Set(records.map(({ record }) => record.project_id))];
    const isRefused = ({ record }: Emitted): boolean => full.has(record.project_id);
    const taken = records.filter((emitted) => !isRefused(emitted));
    lose(records.filter(isRefused), new Error(`more than ${mostWaiting} records wait to be stored`));
    let late: NodeJS.Timeout | undefined;
    try {
      const pipeline = redis.pipeline();
      pipeline.sadd(chainsKey, ...chains);
      for (const chain of chains) pipeline.xlen(streamKey(chain));
      for (const { record, organization } of taken)
        pipeline.xadd(
          streamKey(record.project_id),
          "*",
          recordField,
          JSON.stringify(record),
          organizationField,
          organization,
        );
      const answered = pipeline.exec();
      // Whatever comes after the deadline is nobody's any more.
      answered.catch(() => undefined);
      const deadline = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(new Error(`not kept within ${deadlineMs} ms`)), deadlineMs);
      });
      const answers = (await Promise.race([answered, deadline])) ?? [];
      // The first answer is that of the set of chains; without it the writer would not look.
      const [listed, ...rest] = answers;
      const [lengths, kept] = [rest.slice(0, chains.length), rest.slice(chains.length)];
      chains.forEach((chain, index) => {
        if (Number(lengths[index]?.[1] ?? 0) < mostWaiting) full.delete(chain);
        else full.add(chain);
      });
      taken.forEach((record, index) => {
        const error = listed?.[0] ?? kept[index]?.[0];
        if (error) lose([record], error);
      });
    } catch (error) {
      lose(taken, error);
    } finally {
      clearTimeout(late);
    }
  };

  return {
    emit: (record, organization) => {
      waiting.push({ record, organization });
      return (flight ??= new Promise((resolve) => {
        setImmediate(() => {
          const records = waiting;
          waiting = [];
          flight = undefined;
          void send(records).then(resolve);
        });
      }));
    },
  };
};

import { type Change, changesChannel } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Redis } from "ioredis";
import type { StoredRecord } from "./record.ts";

/** What hears of committed changes. */
export type Announce = (action: Change["action"], records: readonly StoredRecord[]) => Promise<void>;

interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** The announcement of one record's change. */
export const changeOf = (action: Change["action"], record: StoredRecord): Change => {
  const kid = record.columns[lookUpProperties.kid];
  return {
    kind: record.kind,
    id: record.id,
    organization_id: record.organizationId,
    ...(record.projectId === undefined ? {} : { project_id: record.projectId }),
    ...(typeof kid === "string" ? { kid } : {}),
    action,
  };
};

/** Messages sent in one flight. */
const flight = 500;

/**
 * Announces changes to every running process. Nothing fails when Redis is away: caches age by themselves.
 */
export const announceOn =
  (redis: Redis, log: Log): Announce =>
  async (action, records) => {
    try {
      for (let at = 0; at < records.length; at += flight) {
        const pipeline = redis.pipeline();
        for (const record of records.slice(at, at + flight))
          pipeline.publish(changesChannel, JSON.stringify(changeOf(action, record)));
        const failed = (await pipeline.exec())?.find(([error]) => error !== null);
        if (failed?.[0]) throw failed[0];
      }
    } catch (error) {
      log.warn("a change could not be announced; caches take it up when they expire", {
        error,
        count: records.length,
      });
    }
  };

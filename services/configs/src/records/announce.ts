import { type ChangeAnnouncement, changesChannel } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Redis } from "ioredis";
import type { StoredRecord } from "./record.ts";

/** What hears of committed changes. Nothing fails when Redis is away: caches age by themselves. */
export type Announce = (changes: readonly ChangeAnnouncement[]) => Promise<void>;

interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** The announcement of one record's change. */
export const announcementOf = (
  action: ChangeAnnouncement["action"],
  record: StoredRecord,
): ChangeAnnouncement => {
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

/** Announces changes to every running process. */
export const announceOn =
  (redis: Redis, log: Log): Announce =>
  async (changes) => {
    try {
      for (let at = 0; at < changes.length; at += flight) {
        const pipeline = redis.pipeline();
        for (const change of changes.slice(at, at + flight))
          pipeline.publish(changesChannel, JSON.stringify(change));
        const failed = (await pipeline.exec())?.find(([error]) => error !== null);
        if (failed?.[0]) throw failed[0];
      }
    } catch (error) {
      log.warn("a change could not be announced; caches take it up when they expire", {
        error,
        count: changes.length,
      });
    }
  };

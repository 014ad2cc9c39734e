import { type ChangeAnnouncement, changesChannel } from "@ikg/contracts";
import type { Redis } from "ioredis";

/** Messages sent in one flight. */
const flight = 500;

/** Publishes announcements to every running process. @throws what Redis answers, or that it answers nothing */
export const publishChanges = async (redis: Redis, changes: readonly ChangeAnnouncement[]): Promise<void> => {
  for (let at = 0; at < changes.length; at += flight) {
    const pipeline = redis.pipeline();
    for (const change of changes.slice(at, at + flight))
      pipeline.publish(changesChannel, JSON.stringify(change));
    const failed = (await pipeline.exec())?.find(([error]) => error !== null);
    if (failed?.[0]) throw failed[0];
  }
};

import { type ChangeAnnouncement, changesChannel } from "@ikg/contracts";
import type { Redis } from "ioredis";

/** Messages of one pipeline. */
const pipelineSize = 500;

/** Publishes announcements to every running process. @throws the error of Redis, also when it does not answer */
export const publishChanges = async (redis: Redis, changes: readonly ChangeAnnouncement[]): Promise<void> => {
  for (let at = 0; at < changes.length; at += pipelineSize) {
    const pipeline = redis.pipeline();
    for (const change of changes.slice(at, at + pipelineSize))
      pipeline.publish(changesChannel, JSON.stringify(change));
    const failed = (await pipeline.exec())?.find(([error]) => error !== null);
    if (failed?.[0]) throw failed[0];
  }
};

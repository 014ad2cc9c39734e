import { addUpEntries, chainsKey, countEntries, streamKey, waitingKey } from "@ikg/audit";
import type { Redis } from "ioredis";
import type { PendingRecords } from "./waiting-records.ts";

/** Chains with records that wait, and how much. */
export const waitingChains = async (redis: Redis): Promise<Map<string, PendingRecords>> => {
  const sizes = Object.entries(await redis.hgetall(waitingKey));
  const pipeline = redis.pipeline();
  for (const [chain] of sizes) pipeline.xlen(streamKey(chain));
  const lengths = (await pipeline.exec()) ?? [];
  return new Map(
    sizes.map(([chain, bytes], index) => [
      chain,
      { bytes: Number(bytes), records: Number(lengths[index]?.[1] ?? 0) },
    ]),
  );
};

const chainsAtOnce = 200;

/**
 * Counts every stream again and adds them up: what a restored Redis, a version without counts or a manual change has
 * changed is right again.
 */
export const recount = async (redis: Redis): Promise<void> => {
  for (let cursor = "0"; ;) {
    const [next, chains] = await redis.sscan(chainsKey, cursor, "COUNT", chainsAtOnce);
    await Promise.all(chains.map((chain) => countEntries(redis, chain)));
    cursor = next;
    if (cursor === "0") break;
  }
  await addUpEntries(redis);
};

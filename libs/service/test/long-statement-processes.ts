/** Processes that share by Redis what their long statements take. */
import { afterEach, beforeEach } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type LongStatements, openLongStatements } from "../src/limits/long-statements.ts";
import { openRedisHeavySlots } from "../src/limits/redis-heavy-slots.ts";

const url = requireVariable("REDIS_URL");

type News = Parameters<Parameters<LongStatements["follow"]>[0]>[0];

/** Longer than a process collects. */
export const exchanged = (): Promise<void> => wait(300);

/**
 * Begins each test with an empty database of Redis, and ends its processes.
 *
 * @param database its number, which no other file uses
 * @returns opens a process
 */
export const useProcesses = (database: number) => {
  const open: Redis[] = [];
  beforeEach(async () => {
    const redis = new Redis(url, { db: database });
    await redis.flushdb();
    redis.disconnect();
  });
  afterEach(() => {
    for (const redis of open.splice(0)) redis.disconnect();
  });
  return async () => {
    const redis = new Redis(url, { db: database, lazyConnect: true, retryStrategy: () => null });
    redis.on("error", () => undefined);
    open.push(redis);
    await redis.connect();
    const statements = openLongStatements(redis);
    const news: News[] = [];
    statements.follow((each) => news.push(each));
    return { redis, statements, news, slots: openRedisHeavySlots(redis) };
  };
};

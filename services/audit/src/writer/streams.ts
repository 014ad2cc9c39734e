import { randomUUID } from "node:crypto";
import { serverKey } from "@ikg/audit";
import type { Redis } from "ioredis";

/** The streams of one Redis server while it runs; a restarted, restored or replaced server counts as other streams. */
export interface Streams {
  readonly id: string;
  /** When they were first seen. */
  readonly since: string;
}

/**
 * KEYS: the hash. ARGV: the server's own id, an id for new streams, the time. On another server than the noted one, or when
 * none is noted, the streams get a new id, because records may have been lost.
 */
const noteStreams = `#!lua flags=allow-oom
local known = redis.call('HMGET', KEYS[1], 'server', 'id', 'since')
if known[1] == ARGV[1] and known[2] then return {known[2], known[3]} end
redis.call('HSET', KEYS[1], 'server', ARGV[1], 'id', ARGV[2], 'since', ARGV[3])
return {ARGV[2], ARGV[3]}`;

/** @throws Error when Redis does not say which process it is. */
const runIdOf = async (redis: Redis): Promise<string> => {
  const id = /^run_id:(\w+)/m.exec(await redis.info("server"))?.[1];
  if (id === undefined) throw new Error("redis does not say its run_id");
  return id;
};

/** The current streams. */
export const readStreams = async (redis: Redis, now: Date): Promise<Streams> => {
  const server = await runIdOf(redis);
  const [id = "", since = ""] = (await redis.eval(
    noteStreams,
    1,
    serverKey,
    server,
    randomUUID(),
    now.toISOString(),
  )) as string[]; // as the script answers
  return { id, since };
};

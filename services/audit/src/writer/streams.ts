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
 * KEYS: the hash. ARGV: an id for new streams, the time. On another server than the noted one, or when none is noted, the
 * streams get a new id, because records may have been lost. The script itself asks which server it runs on: an answer from
 * before could be that of a server replaced meanwhile, and its successor would be noted twice.
 */
const noteStreams = `#!lua flags=allow-oom
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
if not server then return redis.error_reply('redis does not say its run_id') end
local known = redis.call('HMGET', KEYS[1], 'server', 'id', 'since')
if known[1] == server and known[2] then return {known[2], known[3]} end
redis.call('HSET', KEYS[1], 'server', server, 'id', ARGV[1], 'since', ARGV[2])
return {ARGV[1], ARGV[2]}`;

/** The current streams. @throws Error when Redis does not say which process it is. */
export const readStreams = async (redis: Redis, now: Date): Promise<Streams> => {
  const [id = "", since = ""] = (await redis.eval(
    noteStreams,
    1,
    serverKey,
    randomUUID(),
    now.toISOString(),
  )) as string[]; // as the script answers
  return { id, since };
};

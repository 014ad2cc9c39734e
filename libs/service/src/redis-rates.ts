/**
 * Token buckets of projects in Redis, which the processes of all services share (docs/decisions/0019-fair-statements.md).
 */
import { type BucketStore, maxRefillMs, openSharedRate, type SharedRate } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { isUnreachable } from "./reachable.ts";

/** All keys of one limit have the same hash tag, because one script uses them. */
const requestsPrefix = "ikg:{requests}:project:";
const databaseTimePrefix = "ikg:{statements}:time:";

/** A bucket is kept for this long after it is full, because uses are reported a moment after them. Milliseconds. */
const keptMs = 1_000;

/**
 * KEYS: buckets, each stored as the time at which it is full, in milliseconds of the clock of Redis; a missing one is full.
 * ARGV: for each of them the milliseconds in which it refills what was taken, and how long ago that began. Answers the
 * milliseconds until each is full.
 */
const exchange = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = {}
for at, key in ipairs(KEYS) do
  local taken, age = tonumber(ARGV[2 * at - 1]), tonumber(ARGV[2 * at])
  local full = math.max(now - age, tonumber(redis.call('GET', key) or 0))
  full = math.min(full + taken, now + ${maxRefillMs})
  local ms = math.max(0, full - now)
  if taken ~= 0 then
    redis.call('SET', key, string.format('%.3f', full), 'PX', math.ceil(ms) + ${keptMs})
  end
  answer[at] = string.format('%.3f', ms)
end
return answer`;

const openBuckets = (redis: Redis, prefix: string): BucketStore => ({
  exchange: async (uses) => {
    if (isUnreachable(redis)) return undefined;
    const keys = uses.map(({ id }) => prefix + id);
    const args = uses.flatMap(({ refillMs, ageMs }) => [refillMs, ageMs]);
    // The shape is that of the script; without a response this process counts by itself.
    const answer = await redis.eval(exchange, keys.length, ...keys, ...args).catch(() => undefined);
    return Array.isArray(answer) ? answer.map(Number) : undefined;
  },
});

/** Requests of projects in a second, over all processes of gateway and mcp. */
export const openRequestRate = (redis: Redis): SharedRate =>
  openSharedRate(openBuckets(redis, requestsPrefix));

/** Database time of projects in a second, over all processes that send statements to the shared database. */
export const openDatabaseTime = (redis: Redis): SharedRate =>
  openSharedRate(openBuckets(redis, databaseTimePrefix));

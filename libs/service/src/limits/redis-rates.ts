/**
 * Token buckets of projects in Redis, which the processes of all services share (docs/decisions/0019-fair-statements.md).
 */
import { type BucketStore, maxRefillMs, openSharedRate, type SharedRate } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import type { Logger } from "../logs/log.ts";
import { isUnreachable } from "../redis/redis-errors.ts";
import { tryRunScript } from "../redis/redis-script.ts";
import { repeatedReport } from "../logs/repeated-report.ts";

type Log = Pick<Logger, "warn">;

/** All keys of one limit have the same hash tag, because one script uses them. */
const requestsPrefix = "ikg:{requests}:project:";
const databaseTimePrefix = "ikg:{statements}:time:";

/** A bucket is kept for this long after it is full: longer than a use takes to be reported. Milliseconds. */
const keptMs = 3_000;

/**
 * KEYS: buckets, each stored as the time at which it is full and the time of writing, in milliseconds of the clock of Redis; a
 * missing one is full, and so is one of a later time than now, because the clock was set back. ARGV: for each of them the
 * milliseconds in which it refills what was taken, and how long ago that began. Answers the milliseconds until each is full.
 */
const exchange = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = {}
for at, key in ipairs(KEYS) do
  local refill, age = tonumber(ARGV[2 * at - 1]), tonumber(ARGV[2 * at])
  local fullAt, writtenAt = string.match(redis.call('GET', key) or '0 0', '(%S+) (%S+)')
  if tonumber(writtenAt) > now then fullAt = 0 end
  fullAt = math.min(math.max(now - age, tonumber(fullAt)) + refill, now + ${maxRefillMs})
  local ms = math.max(0, fullAt - now)
  if refill ~= 0 then
    redis.call('SET', key, string.format('%.3f %.3f', fullAt, now), 'PX', math.ceil(ms) + ${keptMs})
  end
  answer[at] = string.format('%.3f', ms)
end
return answer`;

/**
 * Uses may count twice where the connection ends before the answer, because the client sends the script again; and not at all
 * where the script did not run although it was sent.
 */
const openBuckets = (redis: Redis, prefix: string, log: Log): BucketStore => {
  const report = repeatedReport();
  const onErrorReply = (error: unknown): void =>
    report((failed) =>
      log.warn(
        "limits of projects in a second are counted in this process alone: Redis refused the script; check that its user has the rules of deploy/redis/users.conf",
        { error, failed },
      ),
    );
  return {
    isAvailable: () => !isUnreachable(redis),
    exchange: async (uses) => {
      const keys = uses.map(({ id }) => prefix + id);
      const args = uses.flatMap(({ refillMs, ageMs }) => [refillMs, ageMs]);
      // The shape is that of the script.
      const answer = await tryRunScript(redis, exchange, keys, args, onErrorReply);
      return Array.isArray(answer) ? answer.map(Number) : undefined;
    },
  };
};

/** Requests of projects in a second, over all processes of gateway and mcp. */
export const openRequestRate = (redis: Redis, log: Log): SharedRate =>
  openSharedRate(openBuckets(redis, requestsPrefix, log));

/** Database time of projects in a second, over all processes that send statements to the shared database. */
export const openDatabaseTime = (redis: Redis, log: Log): SharedRate =>
  openSharedRate(openBuckets(redis, databaseTimePrefix, log));

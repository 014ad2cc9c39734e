/**
 * What is done to streams and their sums in one step. The sum of a stream follows from its first and its last entry, so
 * that nothing has to be scanned, and whatever went wrong is right again after the next removal or count.
 */
import type { Redis } from "ioredis";
import { defaultBounds, sharedPart } from "./bounds.ts";
import {
  boundsKey,
  chainsKey,
  endField,
  entryOverhead,
  organizationField,
  recordField,
  streamKey,
  totalKey,
  waitingKey,
} from "./stream.ts";

const whole = (name: string): string => `string.format('%.0f', ${name})`;

const shared = `
local function fieldOf(entry, name)
  for i = 1, #entry[2], 2 do if entry[2][i] == name then return entry[2][i + 1] end end
end
local function sizeOf(record, organization) return #record + #organization + ${entryOverhead} end
-- Bytes of a stream. Entries of versions that wrote no sums are measured by the memory that they take.
local function measure(stream)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if not last then return 0 end
  local finish = tonumber(fieldOf(last, '${endField}') or '')
  if not finish then return redis.call('MEMORY', 'USAGE', stream), nil end
  local first = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
  local start = tonumber(fieldOf(first, '${endField}') or '')
  if not start then return finish, finish end
  local size = sizeOf(fieldOf(first, '${recordField}') or '', fieldOf(first, '${organizationField}') or '')
  return finish - start + size, finish
end
local function setWaiting(chain, waiting)
  local before = tonumber(redis.call('HGET', KEYS[2], chain) or 0)
  if waiting > 0 then redis.call('HSET', KEYS[2], chain, ${whole("waiting")})
  else redis.call('HDEL', KEYS[2], chain) end
  local total = math.max(0, tonumber(redis.call('GET', KEYS[3]) or 0) + waiting - before)
  redis.call('SET', KEYS[3], ${whole("total")})
end
`;

/**
 * KEYS: stream, waiting, total, chains, bounds. ARGV: chain, 1 when no bound applies, then record and organization of
 * each entry. Answers for each 1 when it waits, 0 when the project has too much, -1 when all have.
 */
const append = `${shared}
local chain, unbounded = ARGV[1], ARGV[2] == '1'
local bounds = redis.call('HMGET', KEYS[5], chain, 'project', 'total', 'reserve')
local limit = tonumber(bounds[1] or bounds[2] or ${defaultBounds.project})
local most = tonumber(bounds[3] or ${defaultBounds.total})
local reserve = tonumber(bounds[4] or ${defaultBounds.reserve})
local waiting, finish = measure(KEYS[1])
finish = finish or waiting
local before = tonumber(redis.call('HGET', KEYS[2], chain) or 0)
local others = tonumber(redis.call('GET', KEYS[3]) or 0) - before
local answers, added = {}, false
for i = 3, #ARGV, 2 do
  local size = sizeOf(ARGV[i], ARGV[i + 1])
  local mine, all = waiting + size, others + waiting + size
  if not unbounded and mine > limit then answers[#answers + 1] = 0
  elseif not unbounded and all > most * ${sharedPart} and (mine > reserve or all > most) then
    answers[#answers + 1] = -1
  else
    waiting, finish, added = mine, finish + size, true
    redis.call('XADD', KEYS[1], '*', '${recordField}', ARGV[i], '${organizationField}', ARGV[i + 1],
      '${endField}', ${whole("finish")})
    answers[#answers + 1] = 1
  end
end
if added then
  redis.call('SADD', KEYS[4], chain)
  setWaiting(chain, waiting)
end
return answers
`;

/** KEYS: stream, waiting, total. ARGV: chain, ids of entries that go. It frees memory, so it runs without any. */
const remove = `#!lua flags=allow-oom
${shared}
for i = 2, #ARGV do redis.call('XDEL', KEYS[1], ARGV[i]) end
local waiting = measure(KEYS[1])
setWaiting(ARGV[1], waiting)
return waiting
`;

/** KEYS: stream, waiting, total, chains. ARGV: chain. A chain of which nothing waits leaves nothing. */
const count = `#!lua flags=allow-oom
${shared}
local waiting = measure(KEYS[1])
setWaiting(ARGV[1], waiting)
if redis.call('XLEN', KEYS[1]) == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[4], ARGV[1])
end
return waiting
`;

/** KEYS: waiting, total. */
const addUp = `#!lua flags=allow-oom
local total = 0
for _, bytes in ipairs(redis.call('HVALS', KEYS[1])) do total = total + tonumber(bytes) end
redis.call('SET', KEYS[2], ${whole("total")})
return total
`;

/** An entry that is to wait: the record as JSON, and its organization. */
export type NewEntry = readonly [record: string, organization: string];

/** What became of an entry. */
export type AppendOutcome = "waits" | "project_full" | "all_full";

const outcomes = new Map<unknown, AppendOutcome>([
  [1, "waits"],
  [0, "project_full"],
  [-1, "all_full"],
]);

/** Appends entries to the stream of a chain as far as the bounds allow. */
export const appendEntries = async (
  redis: Redis,
  chain: string,
  entries: readonly NewEntry[],
  unbounded: boolean,
): Promise<readonly (AppendOutcome | undefined)[]> => {
  const keys = [streamKey(chain), waitingKey, totalKey, chainsKey, boundsKey];
  const answers = await redis.eval(
    append,
    keys.length,
    ...keys,
    chain,
    unbounded ? "1" : "0",
    ...entries.flat(),
  );
  return Array.isArray(answers) ? answers.map((answer) => outcomes.get(answer)) : [];
};

/**
 * Removes entries of a chain, and counts what is left. Each by its id: ids follow the clock of a Redis, and what is older
 * than a stored one need not be stored.
 *
 * @returns bytes that are left.
 */
export const removeEntries = async (redis: Redis, chain: string, ids: readonly string[]): Promise<number> =>
  Number(await redis.eval(remove, 3, streamKey(chain), waitingKey, totalKey, chain, ...ids));

/**
 * Counts a chain again, and forgets it when nothing of it waits.
 *
 * @returns bytes that wait.
 */
export const countEntries = async (redis: Redis, chain: string): Promise<number> =>
  Number(await redis.eval(count, 4, streamKey(chain), waitingKey, totalKey, chainsKey, chain));

/** Recomputes the total of what waits in all chains. */
export const addUpEntries = async (redis: Redis): Promise<number> =>
  Number(await redis.eval(addUp, 2, waitingKey, totalKey));

/**
 * What is done to sessions in one step, so that two replicas never see half of it. All keys of a project have one hash
 * tag and so one place in a cluster. Times are Redis's own: replicas need not agree on the clock.
 *
 * A session is a hash `owner`, `version`; two sorted sets hold the ids of a project and of one owner by last use. A third
 * one holds those of an organization, whose projects may be in other places of a cluster: its scripts run by themselves.
 */
const begin = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local idle = tonumber(ARGV[1])
`;

/**
 * KEYS: sessions of the project, of the owner. ARGV: idle ms, key prefix of sessions, id, owner, version, most per owner, most per project.
 * Returns 1, or 0 when the project is full, and then the ids of the owner's sessions that it ended.
 */
export const openScript = `${begin}
local dead = now - idle
for i = 1, 2 do redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', dead) end
local result = {1}
while redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) do
  local oldest = redis.call('ZPOPMIN', KEYS[2])[1]
  redis.call('ZREM', KEYS[1], oldest)
  redis.call('DEL', ARGV[2] .. oldest)
  result[#result + 1] = oldest
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[7]) then
  result[1] = 0
  return result
end
local key = ARGV[2] .. ARGV[3]
redis.call('HSET', key, 'owner', ARGV[4], 'version', ARGV[5])
redis.call('PEXPIRE', key, idle)
for i = 1, 2 do
  redis.call('ZADD', KEYS[i], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[i], idle)
end
return result
`;

/** KEYS: sessions of the project, of the owner, the session. ARGV: idle ms, id, owner. */
export const useScript = `${begin}
local session = redis.call('HMGET', KEYS[3], 'owner', 'version')
if session[1] ~= ARGV[3] then return false end
for i = 1, 2 do
  redis.call('ZADD', KEYS[i], now, ARGV[2])
  redis.call('PEXPIRE', KEYS[i], idle)
end
redis.call('PEXPIRE', KEYS[3], idle)
return session[2]
`;

/** KEYS as above. ARGV: -, id, owner. */
export const endScript = `
if redis.call('HGET', KEYS[3], 'owner') ~= ARGV[3] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
return redis.call('DEL', KEYS[3])
`;

/**
 * KEYS: sessions of the organization. ARGV: idle ms, id, most. Returns 0 when it has as many; 1 also for an id that it has already:
 * a command whose answer was lost is sent again.
 */
export const reserveScript = `${begin}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - idle)
local new = redis.call('ZADD', KEYS[1], now, ARGV[2])
if new == 1 and redis.call('ZCARD', KEYS[1]) > tonumber(ARGV[3]) then
  redis.call('ZREM', KEYS[1], ARGV[2])
  return 0
end
redis.call('PEXPIRE', KEYS[1], idle)
return 1
`;

/** KEYS: sessions of the organization. ARGV: idle ms, id. A session that is released meanwhile is not added again. */
export const touchScript = `${begin}
redis.call('ZADD', KEYS[1], 'XX', now, ARGV[2])
redis.call('PEXPIRE', KEYS[1], idle)
`;

/** KEYS: sessions of the organization. ARGV: ids. */
export const releaseScript = `
for i = 1, #ARGV do redis.call('ZREM', KEYS[1], ARGV[i]) end
`;

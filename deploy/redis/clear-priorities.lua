-- Puts the jobs of queues into one order without priorities, which builds before 0.2.0 do not know:
--   redis-cli -e eval "$(cat clear-priorities.lua)" 2 ikg:import-turns ikg:trust-turns
-- Workers may take jobs meanwhile. It returns how many jobs had waited with a priority.

-- Keys and fields are those of BullMQ: a job that becomes due or is tried again waits with the priority of its hash.
local function clear(queue, ids)
  for _, id in ipairs(ids) do
    local job = queue .. ":" .. id
    if redis.call("EXISTS", job) == 1 then redis.call("HSET", job, "priority", 0) end
  end
end

local count = 0
for _, queue in ipairs(KEYS) do
  local prioritized = redis.call("ZRANGE", queue .. ":prioritized", 0, -1)
  clear(queue, redis.call("LRANGE", queue .. ":wait", 0, -1))
  clear(queue, redis.call("LRANGE", queue .. ":active", 0, -1))
  clear(queue, redis.call("ZRANGE", queue .. ":delayed", 0, -1))
  clear(queue, prioritized)
  for _, id in ipairs(prioritized) do redis.call("LPUSH", queue .. ":wait", id) end
  if #prioritized > 0 then
    redis.call("DEL", queue .. ":prioritized")
    -- A worker that waits for a job looks for one.
    redis.call("ZADD", queue .. ":marker", 0, "0")
  end
  count = count + #prioritized
end
return count

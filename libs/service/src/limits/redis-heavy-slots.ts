/**
 * Heavy statements on the shared database, counted in Redis over all processes that send some
 * (docs/decisions/0019-fair-statements.md).
 */
import { randomUUID } from "node:crypto";
import { contentionMs, type HeavySlot, type HeavySlots, type Tenant } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { isUnreachable } from "../redis/redis-errors.ts";
import { tryRunScript } from "../redis/redis-script.ts";

/** All keys have the same hash tag, because one script uses them. */
const heavyKey = "ikg:{statements}:heavy";
export const askingProjectsKey = "ikg:{statements}:asking";
export const askingOrganizationsKey = "ikg:{statements}:asking-organizations";

/** How often a process announces one project, and for how long it collects projects for one command. */
const announceMs = 1_000;
const collectMs = 50;
/** A slot that its process has not renewed for this long is free, because the process has ended. */
const leaseMs = 6_000;
const renewMs = 2_000;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Members with a later time than they can have were written before the clock of Redis was set back, or another server took over.
 * They count as written now: those of processes that have ended would count for as long as the clock was ahead otherwise.
 */
const capTimes = `
local function capTimes(key, latest)
  for _, member in ipairs(redis.call('ZRANGE', key, latest + 1, '+inf', 'BYSCORE')) do
    redis.call('ZADD', key, latest, member)
  end
end
`;

/**
 * KEYS: slots, asking projects, asking organizations. ARGV: member, organization, project, prefixes of the members of the
 * organization and of the project in this process, then the three numbers of `HeavyBounds`.
 */
const take = `${now}${capTimes}
capTimes(KEYS[1], now + ${leaseMs})
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for i = 2, 3 do redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - ${contentionMs}) end
local taken = redis.call('ZRANGE', KEYS[1], 0, -1)
local function hasOwn(prefix)
  for _, member in ipairs(taken) do
    if string.sub(member, 1, #prefix) == prefix then return true end
  end
  return false
end
local function othersAsk(key, id)
  local others = redis.call('ZCARD', key)
  if redis.call('ZSCORE', key, id) then others = others - 1 end
  return others > 0
end
local betweenOrganizations = othersAsk(KEYS[3], ARGV[2])
local bound = tonumber(ARGV[(betweenOrganizations or othersAsk(KEYS[2], ARGV[3])) and 7 or 6])
if not hasOwn(ARGV[betweenOrganizations and 4 or 5]) then bound = tonumber(ARGV[8]) end
if #taken >= bound then return 0 end
redis.call('ZADD', KEYS[1], now + ${leaseMs}, ARGV[1])
return 1`;

/** ARGV: members to add or renew. */
const hold = `${now}
for _, member in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now + ${leaseMs}, member) end`;

/** KEYS: asking projects, asking organizations. ARGV: pairs of a project and its organization. */
const announce = `${now}${capTimes}
for i = 1, 2 do capTimes(KEYS[i], now) end
for at, id in ipairs(ARGV) do redis.call('ZADD', KEYS[2 - at % 2], now, id) end
for i = 1, 2 do redis.call('PEXPIRE', KEYS[i], ${contentionMs}) end`;

/** Announces the projects that ask for heavy statements: each once in `announceMs`, several in one command. */
class ProjectAnnouncements {
  readonly #redis: Redis;
  readonly #announced = new Set<string>();
  #periodStart = -Infinity;
  #pending: Tenant[] = [];

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  add(tenant: Tenant): void {
    const at = performance.now();
    if (at - this.#periodStart > announceMs) {
      this.#announced.clear();
      this.#periodStart = at;
    }
    if (this.#announced.has(tenant.id)) return;
    this.#announced.add(tenant.id);
    this.#pending.push(tenant);
    if (this.#pending.length === 1) setTimeout(() => this.#send(), collectMs).unref();
  }

  #send(): void {
    const ids = this.#pending.flatMap(({ id, organizationId }) => [id, organizationId]);
    this.#pending = [];
    const keys = [askingProjectsKey, askingOrganizationsKey];
    void tryRunScript(this.#redis, announce, keys, ids);
  }
}

/** The slots that this process holds; each is renewed until it is released. */
class HeldSlots {
  readonly #redis: Redis;
  readonly #members = new Set<string>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  renew(members: readonly string[]): void {
    if (members.length > 0) void tryRunScript(this.#redis, hold, [heavyKey], members);
  }

  add(member: string): HeavySlot {
    this.#members.add(member);
    this.#renewal ??= setInterval(() => this.renew([...this.#members]), renewMs).unref();
    return { release: () => this.#release(member) };
  }

  #release(member: string): void {
    if (!this.#members.delete(member)) return;
    if (this.#members.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
    }
    // A slot that is not removed expires.
    if (!isUnreachable(this.#redis)) void this.#redis.zrem(heavyKey, member).catch(() => undefined);
  }
}

export const openRedisHeavySlots = (redis: Redis): HeavySlots => {
  const announcements = new ProjectAnnouncements(redis);
  const held = new HeldSlots(redis);
  const processId = randomUUID();
  let count = 0;
  const ofOrganization = ({ organizationId }: Tenant): string => `${organizationId} ${processId} `;
  const ofProject = (tenant: Tenant): string => `${ofOrganization(tenant)}${tenant.id} `;
  const memberOf = (tenant: Tenant): string => `${ofProject(tenant)}${count++}`;

  return {
    announce: (tenant) => announcements.add(tenant),
    take: async (tenant, { heavyAlone, heavyContended, heavyTotal }) => {
      const member = memberOf(tenant);
      const prefixes = [ofOrganization(tenant), ofProject(tenant)];
      const bounds = [heavyAlone, heavyContended, heavyTotal];
      const keys = [heavyKey, askingProjectsKey, askingOrganizationsKey];
      const args = [member, tenant.organizationId, tenant.id, ...prefixes, ...bounds];
      // Without an answer the bounds of this process alone apply.
      const granted = await tryRunScript(redis, take, keys, args);
      return granted === 0 ? undefined : held.add(member);
    },
    note: (tenant) => {
      const member = memberOf(tenant);
      held.renew([member]);
      return held.add(member);
    },
  };
};

/**
 * Heavy statements on the shared database, counted in Redis over all processes that send some
 * (docs/decisions/0019-fair-statements.md).
 */
import { randomUUID } from "node:crypto";
import { contentionMs, type HeavySlot, type HeavySlots } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { isUnreachable } from "./reachable.ts";

/** Both keys have the same hash tag, because one script uses both. */
const heavyKey = "ikg:{statements}:heavy";
export const askingKey = "ikg:{statements}:asking";

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

/** ARGV: prefix of the members of the project and process, project, member, then the three numbers of `HeavyBounds`. */
const take = `${now}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ${contentionMs})
local taken = redis.call('ZRANGE', KEYS[1], 0, -1)
local own = 0
for _, member in ipairs(taken) do
  if string.sub(member, 1, #ARGV[1]) == ARGV[1] then own = own + 1 end
end
local others = redis.call('ZCARD', KEYS[2])
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then others = others - 1 end
local bound = tonumber(ARGV[others > 0 and 5 or 4])
if own == 0 then bound = tonumber(ARGV[6]) end
if #taken >= bound then return 0 end
redis.call('ZADD', KEYS[1], now + ${leaseMs}, ARGV[3])
return 1`;

/** ARGV: members to add or renew. */
const hold = `${now}
for _, member in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now + ${leaseMs}, member) end`;

/** ARGV: projects. */
const announce = `${now}
for _, project in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, project) end
redis.call('PEXPIRE', KEYS[1], ${contentionMs})`;

/** Failures are ignored, because each process also enforces the bounds by itself. */
const ignoreFailure = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Announces the projects that ask for heavy statements: each once in `announceMs`, several in one command. */
class ProjectAnnouncements {
  readonly #redis: Redis;
  readonly #announced = new Set<string>();
  #periodStart = -Infinity;
  #pending: string[] = [];

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  add(projectId: string): void {
    const at = performance.now();
    if (at - this.#periodStart > announceMs) {
      this.#announced.clear();
      this.#periodStart = at;
    }
    if (this.#announced.has(projectId)) return;
    this.#announced.add(projectId);
    this.#pending.push(projectId);
    if (this.#pending.length === 1) setTimeout(() => this.#send(), collectMs).unref();
  }

  #send(): void {
    const projects = this.#pending;
    this.#pending = [];
    if (!isUnreachable(this.#redis)) ignoreFailure(this.#redis.eval(announce, 1, askingKey, ...projects));
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
    if (members.length > 0 && !isUnreachable(this.#redis))
      ignoreFailure(this.#redis.eval(hold, 1, heavyKey, ...members));
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
    if (!isUnreachable(this.#redis)) ignoreFailure(this.#redis.zrem(heavyKey, member));
  }
}

export const openRedisHeavySlots = (redis: Redis): HeavySlots => {
  const announcements = new ProjectAnnouncements(redis);
  const held = new HeldSlots(redis);
  const processId = randomUUID();
  let count = 0;
  const prefixOf = (projectId: string): string => `${projectId} ${processId} `;
  const memberOf = (projectId: string): string => `${prefixOf(projectId)}${count++}`;

  return {
    announce: (projectId) => announcements.add(projectId),
    take: async (projectId, { heavyAlone, heavyContended, heavyTotal }) => {
      const member = memberOf(projectId);
      const bounds = [heavyAlone, heavyContended, heavyTotal];
      const args = [prefixOf(projectId), projectId, member, ...bounds];
      const granted = isUnreachable(redis)
        ? 1
        : await redis.eval(take, 2, heavyKey, askingKey, ...args).catch(() => 1);
      return granted === 1 ? held.add(member) : undefined;
    },
    note: (projectId) => {
      const member = memberOf(projectId);
      held.renew([member]);
      return held.add(member);
    },
  };
};

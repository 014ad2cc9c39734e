/** Heavy statements on the shared database, counted in Redis over all processes that send some (docs/decisions/0019). */
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

interface HeavyPlace {
  leave(): void;
}

/** How many there may be: while one project asks, while several do, and with the one of each project that each process may always have. */
interface Bounds {
  readonly heavyAlone: number;
  readonly heavyContended: number;
  readonly heavyTotal: number;
}

/** Hook of `connectGraph`. */
export interface HeavyPlaces {
  asks(projectId: string): void;
  take(projectId: string, bounds: Bounds): Promise<HeavyPlace | undefined>;
  note(projectId: string): HeavyPlace;
}

/** One slot of a cluster: a script takes both. */
const heavyKey = "ikg:{statements}:heavy";
const askingKey = "ikg:{statements}:asking";

/** A project counts as asking until this many milliseconds after a process said so. */
const contentionMs = 5_000;
/** How often a process says so of one project, and for how long it collects what it says. */
const sayMs = 1_000;
const collectMs = 50;
/** A place that its process said nothing of for so long is free: the process has ended. */
const leaseMs = 6_000;
const renewMs = 2_000;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** ARGV: what members of the project and process begin with, project, member; then how many may be taken alone, beside others, and in all. */
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

/** ARGV: members that are taken, for the first time or still. */
const hold = `${now}
for _, member in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now + ${leaseMs}, member) end`;

/** ARGV: projects. */
const say = `${now}
for _, project in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, project) end
redis.call('PEXPIRE', KEYS[1], ${contentionMs})`;

export const openHeavyPlaces = (redis: Redis): HeavyPlaces => {
  /** Said of since `saidAt`; a project is said of again in the next period. */
  const said = new Set<string>();
  let saidAt = -Infinity;
  let unsaid: string[] = [];

  /** A count that is out of reach holds up nothing: each process has its own bounds. */
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);
  const isAway = (): boolean => redis.status !== "ready" && redis.status !== "wait";

  const holdAll = (members: readonly string[]): void => {
    if (members.length > 0 && !isAway()) quietly(redis.eval(hold, 1, heavyKey, ...members));
  };
  const held = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;
  const placeOf = (member: string): HeavyPlace => {
    held.add(member);
    renewing ??= setInterval(() => holdAll([...held]), renewMs).unref();
    return {
      leave: () => {
        if (!held.delete(member)) return;
        if (held.size === 0) {
          clearInterval(renewing);
          renewing = undefined;
        }
        if (!isAway()) quietly(redis.zrem(heavyKey, member));
      },
    };
  };
  const processId = randomUUID();
  let asked = 0;
  const prefixOf = (projectId: string): string => `${projectId} ${processId} `;
  const memberOf = (projectId: string): string => `${prefixOf(projectId)}${asked++}`;

  return {
    asks: (projectId) => {
      const at = performance.now();
      if (at - saidAt > sayMs) {
        said.clear();
        saidAt = at;
      }
      if (said.has(projectId)) return;
      said.add(projectId);
      unsaid.push(projectId);
      if (unsaid.length > 1) return;
      setTimeout(() => {
        const projects = unsaid;
        unsaid = [];
        if (!isAway()) quietly(redis.eval(say, 1, askingKey, ...projects));
      }, collectMs).unref();
    },
    take: async (projectId, { heavyAlone, heavyContended, heavyTotal }) => {
      const member = memberOf(projectId);
      const bounds = [heavyAlone, heavyContended, heavyTotal];
      const given = [prefixOf(projectId), projectId, member, ...bounds];
      const granted = isAway() ? 1 : await redis.eval(take, 2, heavyKey, askingKey, ...given).catch(() => 1);
      return granted === 1 ? placeOf(member) : undefined;
    },
    note: (projectId) => {
      const member = memberOf(projectId);
      holdAll([member]);
      return placeOf(member);
    },
  };
};

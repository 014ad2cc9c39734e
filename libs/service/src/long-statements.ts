/**
 * Database time of long statements of projects, added up in Redis over all processes
 * (docs/decisions/0019-fair-statements.md).
 */
import { contentionMs } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { askingKey } from "./redis-heavy-slots.ts";
import { isUnreachable } from "./reachable.ts";

interface News {
  readonly projectId: string;
  readonly ms: number;
  readonly othersAsk: boolean;
}

/** Hook of `connectGraph`. */
export interface LongStatements {
  spent(projectId: string, ms: number): void;
  follow(listener: (news: News) => void): void;
}

/** Has the hash tag of `askingKey`, because one script uses both. */
const sumsKey = "ikg:{statements}:long";
/** For how long a process collects what it adds to the sums. */
const collectMs = 200;
/** A sum that no process adds to expires after this time. */
const keptMs = 60_000;
/** A sum that was read longer ago says nothing about the current load of other processes. */
const staleMs = 2_000;
/** Projects whose sums are remembered. */
const maxProjects = 2_000;

/** ARGV: pairs of a project and milliseconds. Answers pairs of the sum of all processes, and whether other projects ask. */
const add = `
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - ${contentionMs}
local asking = redis.call('ZCOUNT', KEYS[2], since, '+inf')
local answer = {}
for at = 1, #ARGV, 2 do
  answer[at] = redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1])
  local own = redis.call('ZSCORE', KEYS[2], ARGV[at])
  local others = asking
  if own and tonumber(own) >= since then others = asking - 1 end
  answer[at + 1] = others > 0 and 1 or 0
end
redis.call('PEXPIRE', KEYS[1], ${keptMs})
return answer`;

/** The sums of other processes, as far as this one has seen them. */
class OtherProcesses {
  readonly #seen = new Map<string, { readonly sum: number; readonly at: number }>();

  /** What was added elsewhere since the last sum of the project. @param added by this process since then */
  since(projectId: string, sum: number, added: number): number {
    const now = performance.now();
    const last = this.#seen.get(projectId);
    this.#seen.delete(projectId);
    if (this.#seen.size >= maxProjects) this.#seen.clear();
    this.#seen.set(projectId, { sum, at: now });
    // A sum that has become smaller has expired in between.
    return last === undefined || now - last.at > staleMs ? 0 : Math.max(0, sum - last.sum - added);
  }
}

export const openLongStatements = (redis: Redis): LongStatements => {
  const others = new OtherProcesses();
  const pending = new Map<string, number>();
  let notify: (news: News) => void = () => undefined;

  const exchange = async (): Promise<void> => {
    const added = [...pending].map(([projectId, ms]) => [projectId, Math.round(ms)] as const);
    pending.clear();
    if (isUnreachable(redis)) return;
    // The shape is that of the script; without a response this process uses its own sums alone.
    const answer = await redis.eval(add, 2, sumsKey, askingKey, ...added.flat()).catch(() => undefined);
    if (!Array.isArray(answer)) return;
    for (const [at, [projectId, ms]] of added.entries()) {
      const [sum, othersAsk] = [Number(answer[2 * at]), answer[2 * at + 1] === 1];
      notify({ projectId, ms: others.since(projectId, sum, ms), othersAsk });
    }
  };

  return {
    spent: (projectId, ms) => {
      if (pending.size === 0) setTimeout(() => void exchange(), collectMs).unref();
      pending.set(projectId, (pending.get(projectId) ?? 0) + ms);
    },
    follow: (listener) => void (notify = listener),
  };
};

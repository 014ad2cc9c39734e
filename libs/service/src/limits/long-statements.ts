/**
 * Database time of long statements of projects and organizations, added up in Redis over all processes
 * (docs/decisions/0019-fair-statements.md).
 */
import { contentionMs, type Tenant } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { askingOrganizationsKey, askingProjectsKey } from "./redis-heavy-slots.ts";
import { tryRunScript } from "../redis/redis-script.ts";

interface News {
  readonly kind: "project" | "organization";
  readonly id: string;
  readonly ms: number;
  readonly isContended: boolean;
}

/** Hook of `connectGraph`. */
export interface LongStatements {
  spent(tenant: Tenant, ms: number): void;
  follow(listener: (news: News) => void): void;
}

/** Has the hash tag of the other keys, because one script uses all three. */
const sumsKey = "ikg:{statements}:long";
/** For how long a process collects what it adds to the sums. */
const collectMs = 200;
/** A sum that no process adds to expires after this time. */
const keptMs = 60_000;
/** A sum that was read longer ago says nothing about the current load of other processes. */
const staleMs = 2_000;
/** Projects and organizations whose sums are remembered. */
const maxSums = 4_000;

/**
 * ARGV: for each project or organization the place of its kind in KEYS, its id, its field, and milliseconds. Answers pairs of
 * the sum of all processes, and whether others of its kind ask.
 */
const add = `
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - ${contentionMs}
local answer = {}
for at = 1, #ARGV, 4 do
  local kind, id = KEYS[tonumber(ARGV[at])], ARGV[at + 1]
  answer[#answer + 1] = redis.call('HINCRBY', KEYS[1], ARGV[at + 2], ARGV[at + 3])
  local others = redis.call('ZCOUNT', kind, since, '+inf')
  local own = redis.call('ZSCORE', kind, id)
  if own and tonumber(own) >= since then others = others - 1 end
  answer[#answer + 1] = others > 0 and 1 or 0
end
redis.call('PEXPIRE', KEYS[1], ${keptMs})
return answer`;

/** What is passed to the script for each kind. A field is that of a project, or of an organization, whose ids may be equal. */
const kinds = [
  { kind: "project", key: 2, fieldOf: (id: string) => id },
  { kind: "organization", key: 3, fieldOf: (id: string) => `organization ${id}` },
] as const;

/** The sums of other processes, as far as this one has seen them. */
class OtherProcesses {
  readonly #seen = new Map<string, { readonly sum: number; readonly at: number }>();

  /** What was added elsewhere since the last sum. @param added by this process since then */
  since(id: string, sum: number, added: number): number {
    const now = performance.now();
    const last = this.#seen.get(id);
    this.#seen.delete(id);
    if (this.#seen.size >= maxSums) this.#seen.clear();
    this.#seen.set(id, { sum, at: now });
    // A sum that has become smaller has expired in between.
    return last === undefined || now - last.at > staleMs ? 0 : Math.max(0, sum - last.sum - added);
  }
}

export const openLongStatements = (redis: Redis): LongStatements => {
  const others = new OtherProcesses();
  const pending = { project: new Map<string, number>(), organization: new Map<string, number>() };
  let notify: (news: News) => void = () => undefined;

  const exchange = async (): Promise<void> => {
    const added = kinds.flatMap(({ kind, key, fieldOf }) =>
      [...pending[kind]].map(([id, ms]) => ({ kind, key, id, field: fieldOf(id), ms: Math.round(ms) })),
    );
    for (const { kind } of kinds) pending[kind].clear();
    const keys = [sumsKey, askingProjectsKey, askingOrganizationsKey];
    const args = added.flatMap(({ key, id, field, ms }) => [key, id, field, ms]);
    // The shape is that of the script; without a response this process uses its own sums alone.
    const answer = await tryRunScript(redis, add, keys, args);
    if (!Array.isArray(answer)) return;
    for (const [at, { kind, id, field, ms }] of added.entries()) {
      const [sum, isContended] = [Number(answer[2 * at]), answer[2 * at + 1] === 1];
      notify({ kind, id, ms: others.since(field, sum, ms), isContended });
    }
  };

  const addTo = (sums: Map<string, number>, id: string, ms: number): void =>
    void sums.set(id, (sums.get(id) ?? 0) + ms);

  return {
    spent: ({ id, organizationId }, ms) => {
      if (pending.project.size === 0) setTimeout(() => void exchange(), collectMs).unref();
      addTo(pending.project, id, ms);
      addTo(pending.organization, organizationId, ms);
    },
    follow: (listener) => void (notify = listener),
  };
};

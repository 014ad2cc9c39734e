import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

const leaseKey = (project: string): string => `audit:writer:${project}`;

/**
 * Answers 1 while the lease is this writer's, and prolongs it; 2 when it is taken. It runs without memory as well: what
 * fills Redis may be the records that the writer removes.
 */
const hold = `#!lua flags=allow-oom
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return 2 end
return 0`;
const release =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

/**
 * States which writer a chain belongs to. It only spares writers each other's work: that a chain never forks follows
 * from its fence, which the database holds.
 */
export interface Leases {
  /** @returns `new` when this writer was not the one before, undefined when another one has the chain. */
  hold(project: string): Promise<"kept" | "new" | undefined>;
  drop(project: string): Promise<void>;
}

export const openLeases = (redis: Redis, leaseMs: number): Leases => {
  const token = randomUUID();
  const answers = new Map<unknown, "kept" | "new">([
    [1, "kept"],
    [2, "new"],
  ]);
  return {
    hold: async (project) => answers.get(await redis.eval(hold, 1, leaseKey(project), token, leaseMs)),
    drop: async (project) => {
      await redis.eval(release, 1, leaseKey(project), token);
    },
  };
};

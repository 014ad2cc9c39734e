import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

const leaseKey = (project: string): string => `audit:writer:${project}`;

/** Answers 1 while the lease is ours, and prolongs it. */
const prolong =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end";
const release =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

/**
 * Says which writer a chain belongs to. It only spares writers each other's work: that a chain never forks is the
 * matter of its fence, which the database holds.
 */
export interface Leases {
  /** @returns `new` when this writer was not the one before, undefined when another one has the chain. */
  hold(project: string): Promise<"kept" | "new" | undefined>;
  drop(project: string): Promise<void>;
}

export const openLeases = (redis: Redis, leaseMs: number): Leases => {
  const token = randomUUID();
  return {
    hold: async (project) => {
      const key = leaseKey(project);
      if (Number(await redis.eval(prolong, 1, key, token, leaseMs)) === 1) return "kept";
      return (await redis.set(key, token, "PX", leaseMs, "NX")) === "OK" ? "new" : undefined;
    },
    drop: async (project) => {
      await redis.eval(release, 1, leaseKey(project), token);
    },
  };
};

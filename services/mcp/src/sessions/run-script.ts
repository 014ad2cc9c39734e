import { Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";

/**
 * Runs a script of sessions in Redis.
 *
 * @param keys all of one hash tag, so that a cluster finds them in one place.
 * @throws Problem "unavailable" (503) when Redis is unavailable.
 */
export const runScript = async (
  redis: Redis,
  script: string,
  keys: readonly string[],
  ...args: readonly (string | number)[]
): Promise<unknown> => {
  try {
    return await redis.eval(script, keys.length, ...keys, ...args);
  } catch (cause) {
    throw new Problem("unavailable", { headers: { "Retry-After": "5" }, cause });
  }
};

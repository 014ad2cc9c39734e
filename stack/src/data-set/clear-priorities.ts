/** Queues as builds before 0.2.0 take jobs from them: docs/upgrading.md, "To a build before 0.2.0", without its containers. */
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { inRepository } from "../repository.ts";

/** The keys that the page names. */
const queues = ["ikg:import-turns", "ikg:trust-turns"];

/** Runs the script of the page. @returns how many jobs had waited with a priority */
export const clearPriorities = async (
  redisUrl: string,
  keys: readonly string[] = queues,
): Promise<number> => {
  const script = readFileSync(inRepository("deploy", "redis", "clear-priorities.lua"), "utf8");
  const redis = new Redis(redisUrl);
  try {
    return Number(await redis.eval(script, keys.length, ...keys));
  } finally {
    redis.disconnect();
  }
};

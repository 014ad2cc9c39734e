import type { Redis } from "ioredis";
import { isErrorReply, isUnreachable } from "./redis-errors.ts";

/**
 * Runs a script of counts that processes share.
 *
 * @param onErrorReply called when Redis answers with an error.
 * @returns the answer; undefined without one, where each process goes by its own counts.
 */
export const tryRunScript = async (
  redis: Redis,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
  onErrorReply: (error: unknown) => void = () => undefined,
): Promise<unknown> => {
  if (isUnreachable(redis)) return undefined;
  try {
    return await redis.eval(script, keys.length, ...keys, ...args);
  } catch (error) {
    if (isErrorReply(error)) onErrorReply(error);
    return undefined;
  }
};

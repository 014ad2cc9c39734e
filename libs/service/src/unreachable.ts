import type { Redis } from "ioredis";

/** True where a command would wait for the next connection. */
export const isUnreachable = (redis: Redis): boolean => redis.status !== "ready" && redis.status !== "wait";

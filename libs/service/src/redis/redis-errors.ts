import type { Redis } from "ioredis";

/** True where a command would wait for the next connection. */
export const isUnreachable = (redis: Redis): boolean => redis.status !== "ready" && redis.status !== "wait";

/** True for an error reply of Redis. An unavailable Redis is logged by the connection. */
export const isErrorReply = (error: unknown): boolean =>
  error instanceof Error && error.name === "ReplyError";

import { tlsFault } from "@ikg/tls";
import { Redis, type RedisOptions } from "ioredis";
import type { Logger } from "../logs/log.ts";
import { type RedisAddress, redisAddress } from "./redis-address.ts";

/** A master that became a replica rejects every write: a new connection reaches its successor. */
const leavesReplica = {
  reconnectOnError: (error: Error) => (error.message.startsWith("READONLY") ? 2 : false),
} as const;

const addressIn = (text: string): RedisAddress => {
  const address = redisAddress(text);
  if (address === undefined) throw new Error("REDIS_URL is not a Redis URL");
  return address;
};

/** Connections of queues block while they wait for jobs, and retry for as long as Redis is unavailable. */
const ofQueues = {
  ...leavesReplica,
  maxRetriesPerRequest: null,
  // Longer than a worker waits for a job. Detects connections whose peer is gone.
  socketTimeout: 30_000,
} as const;

/** Options of Redis for queues of BullMQ. @throws Error for an invalid address */
export const queueConnection = (text: string): RedisAddress & typeof ofQueues => ({
  ...addressIn(text),
  ...ofQueues,
});

/** Without the option that changes the form of replies. */
type Options = Omit<RedisOptions, "replyMapping">;

/** A client of a Redis. @throws as above */
const redisClient = (text: string, options: Options): Redis => {
  const address = addressIn(text);
  const all: Options = { ...leavesReplica, ...options };
  return "url" in address ? new Redis(address.url, all) : new Redis({ ...all, ...address });
};

/**
 * The connection of a service for commands, none of which blocks. It connects with the first of them.
 *
 * @param onTlsFault called when TLS fails, with a text that follows the name of the server.
 */
export const openRedis = (address: string, log: Logger, onTlsFault: (fault: string) => void): Redis => {
  const redis = redisClient(address, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // Detects connections whose peer is gone; they are opened again.
    socketTimeout: 3_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    sentinelRetryStrategy: (times) => Math.min(times * 100, 1_000),
  });
  let reachable = true;
  redis.on("ready", () => {
    if (!reachable) log.info("redis is reachable again");
    reachable = true;
  });
  redis.on("error", (error) => {
    if (reachable) log.warn("redis is not reachable", { error });
    reachable = false;
    const fault = tlsFault(error);
    if (fault !== undefined) onTlsFault(fault);
  });
  return redis;
};

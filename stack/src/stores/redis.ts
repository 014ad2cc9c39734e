/** The embedded Redis: a password, reachable from this machine alone, every change in an append-only file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";
import type { Child } from "../processes/child.ts";
import { startChild } from "../processes/child.ts";
import { quoteArgument } from "./quote-argument.ts";
import { redisPasswordOf, redisUserLines } from "./redis-users.ts";
import type { Suite } from "../suite.ts";

/** The same in every deployment; docs/operations.md lists what fills it. */
export const redisMaxMemory = "1gb";

/** The user of operators, `default`, and one for each service. */
export const redisConfiguration = (folder: string, port: number, password: string): string =>
  [
    // Of what stands here, only the folder may have blanks.
    "bind 127.0.0.1",
    `port ${port}`,
    "protected-mode yes",
    `requirepass ${password}`,
    `dir ${quoteArgument(folder)}`,
    "appendonly yes",
    "appendfsync everysec",
    'save ""',
    // Nothing is evicted: queues, sessions and audit records are refused when it is full, never dropped.
    `maxmemory ${redisMaxMemory}`,
    "maxmemory-policy noeviction",
    ...redisUserLines((name) => redisPasswordOf(name, password)),
    "daemonize no",
    'logfile ""',
    "",
  ].join("\n");

/** The password goes through a file: arguments can be seen by others. */
export const startRedis = ({ home, secrets, purpose }: Suite, port: number): Child => {
  mkdirSync(home.redis, { recursive: true, mode: 0o700 });
  const file = join(home.redis, "redis.conf");
  writeFileSync(file, redisConfiguration(home.redis, port, secrets.redis_password), { mode: 0o600 });
  return startChild(home, {
    name: "redis",
    program: "redis-server",
    args: [file],
    env: { ...process.env, PATH: [process.env["PATH"], "/usr/sbin", "/usr/local/sbin"].join(delimiter) },
    graceMs: purpose === "serve" ? 15_000 : 0,
  });
};

export const redisUrl = (password: string, port: number): string => `redis://:${password}@127.0.0.1:${port}`;

/** One question; undefined when it answered. */
export const askRedis = async (url: string, timeoutMs: number): Promise<Error | undefined> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let reason: Error | undefined;
  redis.on("error", (error: Error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return reason ?? (error instanceof Error ? error : new Error(String(error)));
  } finally {
    redis.disconnect();
  }
};

/** The stream in which records of a project wait to be stored, and the writer's turn at it. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Target } from "../settings.ts";

/** Fields of an entry and their values, one after the other. */
export type Entry = readonly string[];

export interface Stream {
  /** No writer comes to the stream until it is released. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Waits until everything is stored. */
  stored(): Promise<void>;
  /** Throws away what waits. */
  clear(): Promise<void>;
  /** One entry that waits. */
  sample(): Promise<Entry>;
  /** Puts as many entries like this one behind those that wait, each a record of its own. */
  fill(like: Entry, count: number): Promise<void>;
  close(): void;
}

const holdMs = 3_600_000;
const pollMs = 10;
const storedWithinMs = 600_000;
const atOnce = 1_000;

/** The same but for id and time. */
const another = (like: Entry): string[] =>
  like.map((value, at) => {
    if (like[at - 1] !== "r" || at % 2 === 0) return value;
    // A record, as the access service wrote it.
    const record = JSON.parse(value) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ ...record, id: randomUUID(), time: new Date().toISOString() });
  });

export const openStream = ({ redisUrl }: Target, project: string): Stream => {
  const redis = new Redis(redisUrl);
  const stream = `audit:${project}`;
  const lease = `audit:writer:${project}`;
  return {
    hold: async () => {
      await redis.set(lease, "bench", "PX", holdMs);
    },
    release: async () => {
      await redis.del(lease);
    },
    stored: async () => {
      for (
        const until = performance.now() + storedWithinMs;
        (await redis.xlen(stream)) > 0;
        await delay(pollMs)
      )
        if (performance.now() > until) throw new Error("the records are not stored");
    },
    clear: async () => {
      await redis.xtrim(stream, "MAXLEN", 0);
    },
    sample: async () => {
      const [entry] = await redis.xrevrange(stream, "+", "-", "COUNT", 1);
      if (entry === undefined) throw new Error("no record waits");
      return entry[1];
    },
    fill: async (like, count) => {
      for (let left = count; left > 0; left -= atOnce) {
        const pipeline = redis.pipeline();
        for (let each = Math.min(left, atOnce); each > 0; each--)
          pipeline.xadd(stream, "*", ...another(like));
        await pipeline.exec();
      }
      // The writer looks for chains of which something is counted, and recounts every chain now and then.
      await redis.hset("audit:waiting", project, 1);
    },
    close: () => redis.disconnect(),
  };
};

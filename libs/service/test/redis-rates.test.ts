import { afterEach, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { TokenBucket } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { Redis } from "ioredis";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openProjectRate, type ProjectRate } from "../src/limits/project-rate.ts";
import { openDatabaseTime, openRequestRate } from "../src/limits/redis-rates.ts";

const url = requireVariable("REDIS_URL");

const open: Redis[] = [];
const warnings: unknown[][] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line) } as never; // of the logger's many forms

const options = { db: 12, lazyConnect: true, retryStrategy: () => null };

/** Redis as one more process uses it. */
const connect = async (isAvailable = true): Promise<Redis> => {
  const redis = isAvailable ? new Redis(url, options) : new Redis({ ...options, host: "127.0.0.1", port: 1 });
  redis.on("error", () => undefined);
  open.push(redis);
  await redis.connect().catch(() => undefined);
  return redis;
};

const openProcess = async (isAvailable = true): Promise<ProjectRate> =>
  openProjectRate(openRequestRate(await connect(isAvailable), log));

const perSecond = 200;
/** Milliseconds for a process that shares its limit with none. */
const aloneMs = isLongRun() ? 1_000 : 300;

/** Sends as many requests as are admitted at this moment, and counts them. */
const drain = (rate: ProjectRate, project: string): number => {
  for (let count = 0; ; count++)
    try {
      rate.take(project, perSecond);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return count;
    }
};

/** Sends as many as are admitted for a while. @returns their number as a part of what the limit gives in that time */
const partOfLimit = async (ms: number, ...processes: readonly ProjectRate[]): Promise<number> => {
  const project = randomUUID();
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < ms) {
    for (const rate of processes) count += drain(rate, project);
    await wait(1);
  }
  // A second's worth may come at once.
  return count / perSecond / (1 + (performance.now() - startedAt) / 1_000);
};

/** Longer than a process collects uses. */
const exchanged = (): Promise<void> => wait(250);

afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
  warnings.length = 0;
});

describe("requests in a second at several processes", () => {
  it("are the limit together, but for what each admits between two exchanges", async () => {
    const part = await partOfLimit(isLongRun() ? 3_000 : 2_000, await openProcess(), await openProcess());
    expect(part).toBeGreaterThan(0.85);
    expect(part).toBeLessThan(1.2);
    expect(warnings).toEqual([]);
  });

  it("are the whole limit at one that is alone", async () => {
    const part = await partOfLimit(aloneMs, await openProcess());
    expect(part).toBeGreaterThan(0.9);
    expect(part).toBeLessThan(1.05);
  });

  it("are counted apart at a process for which Redis is unavailable", async () => {
    const part = await partOfLimit(aloneMs, await openProcess(), await openProcess(false));
    expect(part).toBeGreaterThan(1.8);
  });

  it("are counted by the process itself once Redis is unavailable", async () => {
    const redis = await connect();
    const rate = openProjectRate(openRequestRate(redis, log));
    const project = randomUUID();
    expect(drain(rate, project)).toBeGreaterThanOrEqual(perSecond);
    await exchanged();
    drain(rate, project);
    redis.disconnect();
    await wait(500);
    const count = drain(rate, project);
    expect(count).toBeGreaterThanOrEqual(0.4 * perSecond);
    expect(count).toBeLessThanOrEqual(perSecond + 1);
  });

  it("leave nothing in Redis three seconds after the whole limit may be used again", async () => {
    const redis = await connect();
    const project = randomUUID();
    openProjectRate(openRequestRate(redis, log)).take(project, perSecond);
    await exchanged();
    const ms = await redis.pttl(`ikg:{requests}:project:${project}`);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(3_005);
  });

  it("are counted anew after the clock of Redis was set back", async () => {
    const redis = await connect();
    const rate = openProjectRate(openRequestRate(redis, log));
    const project = randomUUID();
    const written = Date.now() + 5_000;
    await redis.set(`ikg:{requests}:project:${project}`, `${written + 9_000} ${written}`, "PX", 9_000);
    rate.take(project, perSecond);
    await exchanged();
    expect(drain(rate, project)).toBeGreaterThanOrEqual(0.9 * perSecond);
  });

  it("are counted by the process itself where Redis refuses the script, and logged once in a while", async () => {
    const redis = await connect();
    const rate = openProjectRate(openRequestRate(redis, log));
    const project = randomUUID();
    const key = `ikg:{requests}:project:${project}`;
    // Of a type that the script does not work on.
    await redis.lpush(key, "1");
    await redis.pexpire(key, 5_000);
    for (let round = 0; round < 2; round++) {
      expect(drain(rate, project)).toBeGreaterThan(0);
      await exchanged();
    }
    expect(warnings).toEqual([
      [expect.stringMatching(/^limits of projects in a second/), { error: expect.any(Error), failed: 1 }],
    ]);
  });
});

describe("database time in a second at several processes", () => {
  it("is what all of them have used, and have not given back", async () => {
    const project = randomUUID();
    const openTime = async () => {
      const time = openDatabaseTime(await connect(), log);
      const bucket = new TokenBucket(1_000, performance.now());
      return {
        waitMs: () => bucket.waitMs(performance.now()),
        take: (ms: number): void => {
          bucket.take(ms, performance.now());
          time.report(project, bucket, bucket.refillMs(ms));
        },
      };
    };
    const [one, two] = [await openTime(), await openTime()];
    const waitOfTwo = async (): Promise<number> => {
      await exchanged();
      two.take(50);
      await exchanged();
      return two.waitMs();
    };
    one.take(9_000);
    const ms = await waitOfTwo();
    expect(ms).toBeLessThan(8_000);
    expect(ms).toBeGreaterThan(4_000);
    one.take(-8_500);
    expect(await waitOfTwo()).toBe(0);
  });
});

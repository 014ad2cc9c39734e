import { afterEach, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { TokenBucket } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { Redis } from "ioredis";
import { required } from "../../../stack/src/testing/test-environment.ts";
import { openProjectRate, type ProjectRate } from "../src/project-rate.ts";
import { openDatabaseTime, openRequestRate } from "../src/redis-rates.ts";

const url = required("REDIS_URL");

const open: Redis[] = [];

/** Redis as one more process uses it. */
const connect = async (options = {}): Promise<Redis> => {
  const redis = new Redis(url, {
    db: 12,
    lazyConnect: true,
    retryStrategy: () => null,
    ...options,
  } as const);
  redis.on("error", () => undefined);
  open.push(redis);
  await redis.connect().catch(() => undefined);
  return redis;
};

const away = { host: "127.0.0.1", port: 1, path: undefined };

const openProcess = async (options = {}): Promise<ProjectRate> =>
  openProjectRate(openRequestRate(await connect(options)));

const perSecond = 200;

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
});

describe("requests in a second at several processes", () => {
  it("are the limit together, but for what each admits between two exchanges", async () => {
    const part = await partOfLimit(3_000, await openProcess(), await openProcess());
    expect(part).toBeGreaterThan(0.85);
    expect(part).toBeLessThan(1.2);
  });

  it("are the whole limit at one that is alone", async () => {
    const part = await partOfLimit(1_000, await openProcess(), await openProcess(away));
    const own = await partOfLimit(1_000, await openProcess());
    expect(own).toBeGreaterThan(0.9);
    expect(own).toBeLessThan(1.05);
    // One that Redis is away from counts by itself, beside one that is alone there.
    expect(part).toBeGreaterThan(1.8);
  });

  it("are counted by the process itself once Redis goes away", async () => {
    const redis = await connect();
    const rate = openProjectRate(openRequestRate(redis));
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

  it("leave nothing in Redis a second after the whole limit may be used again", async () => {
    const redis = await connect();
    const project = randomUUID();
    openProjectRate(openRequestRate(redis)).take(project, perSecond);
    await exchanged();
    const ms = await redis.pttl(`ikg:{requests}:project:${project}`);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(1_005);
  });
});

describe("database time in a second at several processes", () => {
  it("is what all of them have used, and have not given back", async () => {
    const processes = [openDatabaseTime(await connect()), openDatabaseTime(await connect())];
    const [one, two] = processes.map((time) => ({ time, bucket: new TokenBucket(1_000, performance.now()) }));
    if (one === undefined || two === undefined) throw new Error("two processes expected");
    const project = randomUUID();
    const take = (ms: number): void => {
      one.bucket.take(ms, performance.now());
      one.time.report(project, one.bucket, ms);
    };
    const waitOfTwo = async (): Promise<number> => {
      await exchanged();
      two.time.report(project, two.bucket, 0);
      await exchanged();
      return two.bucket.waitMs(performance.now());
    };
    take(9_000);
    const ms = await waitOfTwo();
    expect(ms).toBeLessThan(8_000);
    expect(ms).toBeGreaterThan(4_000);
    take(-8_500);
    expect(await waitOfTwo()).toBe(0);
  });
});

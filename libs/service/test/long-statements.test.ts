import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openRedisHeavySlots } from "../src/limits/redis-heavy-slots.ts";
import { type LongStatements, openLongStatements } from "../src/limits/long-statements.ts";
import { tenantOf as of } from "./tenant-of.ts";

const url = requireVariable("REDIS_URL");

const database = 10;
const open: Redis[] = [];

type News = Parameters<Parameters<LongStatements["follow"]>[0]>[0];

const openProcess = async () => {
  const redis = new Redis(url, { db: database, lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => undefined);
  open.push(redis);
  await redis.connect();
  const statements = openLongStatements(redis);
  const news: News[] = [];
  statements.follow((each) => news.push(each));
  return { redis, statements, news, slots: openRedisHeavySlots(redis) };
};
/** Longer than a process collects. */
const exchanged = (): Promise<void> => wait(300);

beforeEach(async () => {
  const redis = new Redis(url, { db: database });
  await redis.flushdb();
  redis.disconnect();
});
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});

describe("long statements of several processes", () => {
  it("are added up by project: each process learns what the others added", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.statements.spent(of("a"), 100);
    ciq.statements.spent(of("a"), 20);
    await exchanged();
    access.news.length = 0;
    ciq.statements.spent(of("a"), 300);
    ciq.statements.spent(of("b"), 50);
    await exchanged();
    access.statements.spent(of("a"), 10);
    access.statements.spent(of("b"), 1);
    await exchanged();
    // The first sum of a project says nothing of how long ago it was added.
    expect(access.news).toEqual([
      { kind: "project", id: "a", ms: expect.any(Number), othersAsk: false },
      { kind: "project", id: "b", ms: 0, othersAsk: false },
      { kind: "organization", id: "organization of a", ms: access.news[0]?.ms, othersAsk: false },
      { kind: "organization", id: "organization of b", ms: 0, othersAsk: false },
    ]);
    expect([300, 320]).toContain(access.news[0]?.ms);
  });

  it("tell whether other projects ask, of whichever process", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.slots.announce(of("heavy"));
    await wait(100);
    ciq.statements.spent(of("heavy"), 10);
    await exchanged();
    access.slots.announce(of("light"));
    await wait(100);
    ciq.statements.spent(of("heavy"), 10);
    await exchanged();
    const ofProject = ciq.news.filter(({ id }) => id === "heavy");
    expect(ofProject.map(({ othersAsk }) => othersAsk)).toEqual([false, true]);
  });

  it("are added up by organization as well, whose projects are not others for it", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    const [one, two] = [of("one", "both"), of("two", "both")];
    ciq.statements.spent(one, 1);
    await exchanged();
    access.statements.spent(one, 1);
    access.slots.announce(one);
    access.slots.announce(two);
    await exchanged();
    access.news.length = 0;
    ciq.statements.spent(two, 300);
    await exchanged();
    access.statements.spent(one, 1);
    await exchanged();
    expect(access.news).toEqual([
      { kind: "project", id: "one", ms: 0, othersAsk: true },
      { kind: "organization", id: "both", ms: 300, othersAsk: false },
    ]);
    access.slots.announce(of("light"));
    await wait(100);
    access.statements.spent(one, 1);
    await exchanged();
    expect(access.news.at(-1)).toEqual({ kind: "organization", id: "both", ms: 0, othersAsk: true });
  });

  it("of an organization itself, which has its id, are not those of its projects", async () => {
    const [audit, ciq] = [await openProcess(), await openProcess()];
    ciq.statements.spent(of("both", "both"), 1);
    await exchanged();
    audit.statements.spent(of("both", "both"), 1);
    await exchanged();
    audit.news.length = 0;
    ciq.statements.spent(of("one", "both"), 300);
    await exchanged();
    audit.statements.spent(of("both", "both"), 1);
    await exchanged();
    expect(audit.news).toEqual([
      { kind: "project", id: "both", ms: 0, othersAsk: false },
      { kind: "organization", id: "both", ms: 300, othersAsk: false },
    ]);
  });

  it("ignore sums that were forgotten meanwhile", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    ciq.statements.spent(of("a"), 5_000);
    access.statements.spent(of("a"), 1);
    await exchanged();
    await access.redis.flushdb();
    access.statements.spent(of("a"), 1);
    await exchanged();
    expect(access.news.at(-1)?.ms).toBe(0);
  });

  it("say nothing while Redis is out of reach", async () => {
    const { redis, statements, news } = await openProcess();
    redis.disconnect();
    statements.spent(of("a"), 100);
    await exchanged();
    expect(news).toEqual([]);
  });
});

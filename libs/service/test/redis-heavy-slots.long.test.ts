import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openRedisHeavySlots } from "../src/limits/redis-heavy-slots.ts";
import { tenantOf as of } from "./tenant-of.ts";

const url = requireVariable("REDIS_URL");

const bounds = { heavyAlone: 4, heavyContended: 1, heavyTotal: 8 };
const open: Redis[] = [];

const options = { db: 15, lazyConnect: true, retryStrategy: () => null };

/** The count as one more process sees it, in a database of Redis that nothing else uses. */
const openProcess = async (isAvailable = true) => {
  const redis = isAvailable ? new Redis(url, options) : new Redis({ ...options, host: "127.0.0.1", port: 1 });
  redis.on("error", () => undefined);
  open.push(redis);
  await redis.connect().catch(() => undefined);
  return openRedisHeavySlots(redis);
};

beforeEach(async () => {
  const redis = new Redis(url, { db: 15 });
  await redis.flushdb();
  redis.disconnect();
});
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});

describe("heavy statements of several processes", () => {
  it("have as many slots as one project may take alone, in whichever process they ask", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    const slots = [];
    for (let i = 0; i < 4; i++) slots.push(await (i % 2 ? access : ciq).take(of("a"), bounds));
    expect(slots).not.toContain(undefined);
    expect(await access.take(of("a"), bounds)).toBeUndefined();
    slots[0]?.release();
    slots[0]?.release();
    expect(await access.take(of("a"), bounds)).toBeDefined();
    expect(await ciq.take(of("a"), bounds)).toBeUndefined();
  });

  it("have fewer while another project asks, also one that asks another process", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.announce(of("light"));
    access.announce(of("heavy"));
    await wait(200);
    // Each project may have one in each process: its decisions do not wait for its queries.
    expect(await ciq.take(of("heavy"), bounds)).toBeDefined();
    expect(await ciq.take(of("heavy"), bounds)).toBeUndefined();
    expect(await access.take(of("heavy"), bounds)).toBeDefined();
    expect(await access.take(of("heavy"), bounds)).toBeUndefined();
    expect(await access.take(of("light"), bounds)).toBeDefined();
  });

  it("have no more in all than the database bears, with projects that have one each", async () => {
    const ciq = await openProcess();
    const taken = [];
    for (let i = 0; i < 10; i++) taken.push(await ciq.take(of(`p${i}`), bounds));
    expect(taken.filter((each) => each !== undefined)).toHaveLength(8);
  });

  it("are those of one project for all projects of an organization while another one asks", async () => {
    const ciq = await openProcess();
    const many = Array.from({ length: 4 }, (_, i) => of(`p${i}`, "many"));
    for (const each of many) ciq.announce(each);
    await wait(200);
    // Among themselves each has its one.
    const taken = [];
    for (const each of many) taken.push(await ciq.take(each, bounds));
    expect(taken).not.toContain(undefined);
    for (const slot of taken) slot?.release();
    ciq.announce(of("light"));
    await wait(200);
    expect(await ciq.take(of("p0", "many"), bounds)).toBeDefined();
    expect(await ciq.take(of("p1", "many"), bounds)).toBeUndefined();
    expect(await ciq.take(of("light"), bounds)).toBeDefined();
  });

  it("count those that turned out heavy as they ran", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.announce(of("light"));
    const two = { ...bounds, heavyContended: 2 };
    const noted = access.note(of("heavy"));
    await wait(200);
    expect(await ciq.take(of("heavy"), two)).toBeDefined();
    expect(await ciq.take(of("heavy"), two)).toBeUndefined();
    noted.release();
    await wait(50);
    expect(await ciq.take(of("heavy"), two)).toBeDefined();
  });

  it("keep their slots for as long as their process lives, and lose them soon after it has ended", async () => {
    const ended = await openProcess();
    const few = { ...bounds, heavyTotal: 4 };
    for (let i = 0; i < 4; i++) await ended.take(of("a"), few);
    const ciq = await openProcess();
    await wait(7_000);
    expect(await ciq.take(of("a"), few)).toBeUndefined();
    // What a process that was killed does no more.
    open[0]?.disconnect();
    await wait(6_500);
    expect(await ciq.take(of("a"), few)).toBeDefined();
  }, 20_000);

  it("count what is dated later than the clock of Redis, which was set back, no longer than anything else", async () => {
    const ciq = await openProcess();
    const later = Date.now() + 3_600_000;
    await open[0]?.zadd("ikg:{statements}:heavy", later, "slot of a process that was killed");
    await open[0]?.zadd("ikg:{statements}:asking", later, "light");
    // Redis keeps the projects that ask only while one of them does.
    for (let i = 0; i < 4; i++) {
      ciq.announce(of("heavy"));
      (await ciq.take(of("heavy"), bounds))?.release();
      await wait(2_000);
    }
    const taken = [];
    for (let i = 0; i < 4; i++) taken.push(await ciq.take(of("heavy"), bounds));
    expect(taken).not.toContain(undefined);
  }, 20_000);

  it("are bounded by their own process while Redis is unavailable", async () => {
    const alone = await openProcess(false);
    alone.announce(of("light"));
    alone.note(of("a")).release();
    // More than all processes together have there.
    for (let i = 0; i < 6; i++) expect(await alone.take(of("a"), bounds)).toBeDefined();
  });
});

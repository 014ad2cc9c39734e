import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { required } from "../../../stack/src/testing/test-environment.ts";
import { openRedisHeavySlots } from "../src/redis-heavy-slots.ts";

const url = required("REDIS_URL");

const bounds = { heavyAlone: 4, heavyContended: 1, heavyTotal: 8 };
const open: Redis[] = [];

/** The count as one more process sees it, in a database of Redis that nothing else uses. */
const openProcess = async (options = {}) => {
  const redis = new Redis(url, { db: 9, lazyConnect: true, retryStrategy: () => null, ...options } as const);
  redis.on("error", () => undefined);
  open.push(redis);
  await redis.connect().catch(() => undefined);
  return openRedisHeavySlots(redis);
};

beforeEach(async () => {
  const redis = new Redis(url, { db: 9 });
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
    for (let i = 0; i < 4; i++) slots.push(await (i % 2 ? access : ciq).take("a", bounds));
    expect(slots).not.toContain(undefined);
    expect(await access.take("a", bounds)).toBeUndefined();
    slots[0]?.release();
    slots[0]?.release();
    expect(await access.take("a", bounds)).toBeDefined();
    expect(await ciq.take("a", bounds)).toBeUndefined();
  });

  it("have fewer while another project asks, also one that asks another process", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.announce("light");
    access.announce("heavy");
    await wait(200);
    // Each project may have one in each process: its decisions do not wait for its queries.
    expect(await ciq.take("heavy", bounds)).toBeDefined();
    expect(await ciq.take("heavy", bounds)).toBeUndefined();
    expect(await access.take("heavy", bounds)).toBeDefined();
    expect(await access.take("heavy", bounds)).toBeUndefined();
    expect(await access.take("light", bounds)).toBeDefined();
  });

  it("have no more in all than the database bears, with projects that have one each", async () => {
    const ciq = await openProcess();
    const taken = [];
    for (let i = 0; i < 10; i++) taken.push(await ciq.take(`p${i}`, bounds));
    expect(taken.filter((each) => each !== undefined)).toHaveLength(8);
  });

  it("count those that turned out heavy as they ran", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.announce("light");
    const two = { ...bounds, heavyContended: 2 };
    const noted = access.note("heavy");
    await wait(200);
    expect(await ciq.take("heavy", two)).toBeDefined();
    expect(await ciq.take("heavy", two)).toBeUndefined();
    noted.release();
    await wait(50);
    expect(await ciq.take("heavy", two)).toBeDefined();
  });

  it("keep their slots for as long as their process lives, and lose them soon after it has ended", async () => {
    const ended = await openProcess();
    const few = { ...bounds, heavyTotal: 4 };
    for (let i = 0; i < 4; i++) await ended.take("a", few);
    const ciq = await openProcess();
    await wait(7_000);
    expect(await ciq.take("a", few)).toBeUndefined();
    // What a process that was killed does no more.
    open[0]?.disconnect();
    await wait(6_500);
    expect(await ciq.take("a", few)).toBeDefined();
  }, 20_000);

  it("are bounded by their own process while the count is out of reach", async () => {
    const away = await openProcess({
      host: "127.0.0.1",
      port: 1,
      path: undefined,
      connectionName: randomUUID(),
    });
    away.announce("light");
    away.note("a").release();
    for (let i = 0; i < 6; i++) {
      const slot = await away.take("a", bounds);
      expect(slot).toBeDefined();
      slot?.release();
    }
  });
});

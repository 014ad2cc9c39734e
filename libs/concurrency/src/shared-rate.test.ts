import { describe, expect, it } from "@jest/globals";
import { setImmediate as settled } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { type BucketStore, type BucketUse, openSharedRate } from "./shared-rate.ts";
import { maxRefillMs, TokenBucket } from "./token-bucket.ts";

/** A clock that moves only by `advance`, which calls what is due by then. */
const openClock = () => {
  let now = 0;
  let timers: { readonly at: number; readonly action: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after: (ms, action) => {
      timers.push({ at: now + ms, action });
      return () => undefined;
    },
  };
  const advance = async (ms: number): Promise<void> => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { action } of due) action();
    if (due.length > 0) await settled();
  };
  return { clock, advance };
};

/** Shared buckets in memory, as one process reaches them. */
const openStore = (clock: Clock, fullAt = new Map<string, number>()) => {
  const exchanges: (readonly BucketUse[])[] = [];
  const state = { isAvailable: true };
  const store: BucketStore = {
    isAvailable: () => state.isAvailable,
    exchange: async (uses) => {
      exchanges.push(uses);
      const now = clock.now();
      return uses.map(({ id, refillMs, ageMs }) => {
        const at = Math.min(Math.max(now - ageMs, fullAt.get(id) ?? 0) + refillMs, now + maxRefillMs);
        fullAt.set(id, at);
        return Math.max(0, at - now);
      });
    },
  };
  return { store, state, exchanges };
};

const perSecond = 10;

/** One process with its bucket of one project. */
const openProcess = (store: BucketStore, clock: Clock) => {
  const rate = openSharedRate(store, clock);
  const bucket = new TokenBucket(perSecond, clock.now());
  const take = (amount: number): void => {
    bucket.take(amount, clock.now());
    rate.report("a", bucket, bucket.refillMs(amount));
  };
  /** One request; true when it is admitted. */
  const admit = (): boolean => {
    const isAdmitted = bucket.waitMs(clock.now()) === 0;
    if (isAdmitted) take(1);
    else rate.report("a", bucket, 0);
    return isAdmitted;
  };
  return { take, admit, waitMs: () => bucket.waitMs(clock.now()) };
};

type Process = ReturnType<typeof openProcess>;

/** How many requests are admitted where each process gets one every 10 ms. */
const admittedWithin = async (
  ms: number,
  advance: (ms: number) => Promise<void>,
  ...processes: readonly Process[]
): Promise<number> => {
  let count = 0;
  for (let at = 0; at < ms; at += 10) {
    count += processes.filter(({ admit }) => admit()).length;
    await advance(10);
  }
  return count;
};

describe("a rate that processes share", () => {
  it("is the limit for all of them together, and what the first moment allows is made up for", async () => {
    const { clock, advance } = openClock();
    const { store } = openStore(clock);
    const [one, two] = [openProcess(store, clock), openProcess(store, clock)];
    // A second's worth, and ten seconds.
    const count = await admittedWithin(10_000, advance, one, two);
    expect(count).toBeGreaterThan(105);
    expect(count).toBeLessThanOrEqual(120);
  });

  it("is the whole limit for one that is alone", async () => {
    const { clock, advance } = openClock();
    const { store } = openStore(clock);
    const count = await admittedWithin(10_000, advance, openProcess(store, clock));
    expect(count).toBeGreaterThanOrEqual(109);
    expect(count).toBeLessThanOrEqual(111);
  });

  it("counts uses from when they were, so that a second's worth may come at once each second", async () => {
    const { clock, advance } = openClock();
    const { store } = openStore(clock);
    const { admit } = openProcess(store, clock);
    for (let second = 0; second < 5; second++) {
      for (let request = 0; request < perSecond; request++) expect(admit()).toBe(true);
      expect(admit()).toBe(false);
      await advance(100);
      await advance(900);
    }
  });

  it("tells a process that is refused what the others have taken, and what they have returned", async () => {
    const { clock, advance } = openClock();
    const { store } = openStore(clock);
    const [one, two] = [openProcess(store, clock), openProcess(store, clock)];
    one.take(40);
    expect(two.admit()).toBe(true);
    await advance(100);
    expect(two.waitMs()).toBe(3_001);
    one.take(-39);
    expect(two.admit()).toBe(false);
    await advance(100);
    expect(two.admit()).toBe(true);
  });

  it("is each process's own while the store is unavailable; what is owed then is made up for", async () => {
    const { clock, advance } = openClock();
    const { store, state } = openStore(clock);
    const processes = [openProcess(store, clock), openProcess(store, clock)];
    state.isAvailable = false;
    const duringOutage = await admittedWithin(10_000, advance, ...processes);
    expect(duringOutage).toBeGreaterThan(215);
    state.isAvailable = true;
    // A second's worth at each, of which the bucket holds one.
    expect(await admittedWithin(900, advance, ...processes)).toBeLessThanOrEqual(4);
    const afterwards = await admittedWithin(10_000, advance, ...processes);
    expect(afterwards).toBeGreaterThan(90);
    expect(afterwards).toBeLessThanOrEqual(105);
  });

  it("refuses nothing below the limit where processes reach the store again one by one", async () => {
    const { clock, advance } = openClock();
    const fullAt = new Map<string, number>();
    const stores = [openStore(clock, fullAt), openStore(clock, fullAt)];
    const processes = stores.map(({ store }) => openProcess(store, clock));
    /** Each process gets a tenth of the limit. @returns the number of refusals */
    const refusedWithin = async (seconds: number): Promise<number> => {
      let count = 0;
      for (let second = 0; second < seconds; second++) {
        count += processes.filter(({ admit }) => !admit()).length;
        await advance(100);
        await advance(900);
      }
      return count;
    };
    for (const { state } of stores) state.isAvailable = false;
    expect(await refusedWithin(600)).toBe(0);
    for (const { state } of stores) {
      state.isAvailable = true;
      expect(await refusedWithin(3)).toBe(0);
    }
    expect(await refusedWithin(30)).toBe(0);
  });

  it("charges what was used during a short outage, and not again what the shared bucket owes", async () => {
    const { clock, advance } = openClock();
    const { store, state } = openStore(clock);
    const [one, two] = [openProcess(store, clock), openProcess(store, clock)];
    one.take(60);
    two.take(20);
    await advance(100);
    expect([one.waitMs(), two.waitMs()]).toEqual([4_901, 6_901]);
    state.isAvailable = false;
    one.take(1);
    two.take(1);
    await advance(100);
    state.isAvailable = true;
    await advance(100);
    expect([one.waitMs(), two.waitMs()]).toEqual([6_801, 6_901]);
  });
});

describe("the exchange of a process", () => {
  it("is one for all buckets of a moment, and none without a use", async () => {
    const { clock, advance } = openClock();
    const { store, exchanges } = openStore(clock);
    const rate = openSharedRate(store, clock);
    const bucket = new TokenBucket(10, 0);
    const empty = new TokenBucket(100, 0);
    empty.take(200, 0);
    rate.report("a", bucket, 100);
    await advance(40);
    rate.report("a", bucket, 200);
    rate.report("b", empty, 0);
    rate.report("unlimited", new TokenBucket(Infinity, 0), 5);
    await advance(60);
    for (let i = 0; i < 20; i++) await advance(100);
    expect(exchanges).toEqual([
      [
        { id: "a", refillMs: 300, ageMs: 100 },
        { id: "b", refillMs: 0, ageMs: 60 },
      ],
    ]);
  });

  it("has of what was returned while the store was unavailable as much as was not refilled since", async () => {
    const { clock, advance } = openClock();
    const { store, state, exchanges } = openStore(clock);
    const rate = openSharedRate(store, clock);
    const bucket = new TokenBucket(10, 0);
    const returnBefore = async (steps: number): Promise<void> => {
      state.isAvailable = false;
      rate.report("a", bucket, -1_000);
      for (let step = 0; step < steps; step++) await advance(100);
      state.isAvailable = true;
      await advance(100);
    };
    await returnBefore(3);
    await returnBefore(12);
    expect(exchanges).toEqual([[{ id: "a", refillMs: -700, ageMs: 100 }]]);
  });

  it("leaves out what is far below the limit, unless the bucket is empty", async () => {
    const { clock, advance } = openClock();
    const { store, exchanges } = openStore(clock);
    const rate = openSharedRate(store, clock);
    const bucket = new TokenBucket(1_000_000, 0);
    const use = async (): Promise<void> => {
      bucket.take(1, clock.now());
      rate.report("a", bucket, bucket.refillMs(1));
      await advance(100);
    };
    await use();
    await advance(100);
    expect(exchanges).toEqual([]);
    bucket.setFullIn(2_000, clock.now());
    await use();
    expect(exchanges).toHaveLength(1);
  });

  it("is not repeated without an answer, and leaves the bucket its own count", async () => {
    const { clock, advance } = openClock();
    let count = 0;
    const store: BucketStore = {
      isAvailable: () => true,
      exchange: async () => {
        count++;
        return undefined;
      },
    };
    const { take, waitMs } = openProcess(store, clock);
    take(15);
    await advance(100);
    await advance(100);
    expect([count, waitMs()]).toEqual([1, 301]);
    take(1);
    await advance(100);
    expect(count).toBe(2);
  });

  it("is not begun before the last one has ended, whose answer leaves what was used since", async () => {
    const { clock, advance } = openClock();
    const exchanges: (readonly BucketUse[])[] = [];
    const answer = Promise.withResolvers<readonly number[] | undefined>();
    const store: BucketStore = {
      isAvailable: () => true,
      exchange: (uses) => {
        exchanges.push(uses);
        return answer.promise;
      },
    };
    const { take, waitMs } = openProcess(store, clock);
    take(5);
    await advance(100);
    take(3);
    await advance(100);
    expect(exchanges).toHaveLength(1);
    answer.resolve([1_450]);
    await settled();
    expect(waitMs()).toBe(751);
    await advance(100);
    expect(exchanges[1]).toEqual([{ id: "a", refillMs: 300, ageMs: 200 }]);
  });

  it("charges what was used at the rate of its time", async () => {
    const { clock, advance } = openClock();
    const rate = openSharedRate(openStore(clock).store, clock);
    const bucket = new TokenBucket(50_000, 0);
    bucket.take(1_000, 0);
    rate.report("a", bucket, bucket.refillMs(1_000));
    await advance(50);
    bucket.setRate(5, clock.now());
    await advance(50);
    expect(bucket.waitMs(clock.now())).toBe(0);
  });

  it("has a bound: further buckets follow in the next one", async () => {
    const { clock, advance } = openClock();
    const { store, exchanges } = openStore(clock);
    const rate = openSharedRate(store, clock);
    for (let i = 0; i < 2_100; i++) rate.report(`p${i}`, new TokenBucket(1, 0), 1_000);
    await advance(100);
    await advance(100);
    expect(exchanges.map(({ length }) => length)).toEqual([2_000, 100]);
  });
});

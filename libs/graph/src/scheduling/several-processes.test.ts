import { describe, expect, it } from "@jest/globals";
import { type Clock, maxRefillMs, type SharedRate, type Tenant } from "@ikg/concurrency";
import fc from "fast-check";
import { arrival, schedule, stream, waitsOf } from "../../test/arrivals.ts";
import { type Outcome, simulate } from "../../test/simulation.ts";
import { capacityOf } from "./capacity.ts";
import type { LongStatementUpdate, LongStatements } from "./long-statements.ts";

const capacity = capacityOf({ poolSize: 20, heavyStatements: 2 });

describe("heavy slots that processes share", () => {
  /** A count without a store; each answer comes later, as that of a store does. */
  const count = (most: number) => {
    const taken = new Map<string, number>();
    const slot = ({ id: projectId }: Tenant) => {
      taken.set(projectId, (taken.get(projectId) ?? 0) + 1);
      return { release: () => void taken.set(projectId, (taken.get(projectId) ?? 0) - 1) };
    };
    const sum = (): number => [...taken.values()].reduce((all, each) => all + each, 0);
    let peak = 0;
    return {
      heavySlots: {
        announce: () => undefined,
        note: slot,
        take: async (tenant: Tenant) => {
          await Promise.resolve();
          if ((taken.get(tenant.id) ?? 0) > 0 && sum() >= most) return undefined;
          const mine = slot(tenant);
          peak = Math.max(peak, taken.get(tenant.id) ?? 0);
          return mine;
        },
      },
      left: sum,
      peak: () => peak,
    };
  };

  it("are taken by heavy statements, released by each, and hold up no short ones", async () => {
    const shared = count(2);
    const heavy = (at: number) => arrival({ at, project: "heavy", text: "long", ms: 500 });
    const outcomes = await simulate(
      [
        arrival({ project: "heavy", text: "short" }),
        heavy(100),
        ...Array.from({ length: 12 }, () => heavy(1_000)),
        ...stream(200, 10, { at: 1_000, project: "heavy", text: "short" }),
      ],
      { capacity, heavySlots: shared.heavySlots },
    );
    expect(outcomes.filter(({ startedAt }) => startedAt === undefined)).toEqual([]);
    const starts = outcomes
      .filter(({ arrival: { text, at } }) => text === "long" && at > 100)
      .map(({ startedAt = 0 }) => startedAt);
    // Two at a time: twelve take six turns of 500 ms.
    expect(Math.max(...starts)).toBeGreaterThanOrEqual(1_000 + 5 * 500);
    expect(Math.max(...starts)).toBeLessThan(1_000 + 5 * 600 + 500);
    const short = outcomes.filter(({ arrival: { text } }) => text === "short");
    expect(Math.max(...short.map(({ arrival: { at }, startedAt = 0 }) => startedAt - at))).toBeLessThan(60);
    expect(shared.left()).toBe(0);
  });

  it("are not needed where requests for them fail", async () => {
    let requests = 0;
    const heavySlots = {
      announce: () => undefined,
      note: () => ({ release: () => undefined }),
      take: () => {
        requests += 1;
        return Promise.reject(new Error("no answer"));
      },
    };
    const statements = stream(4, 1_000, { project: "heavy", text: "long", ms: 500 });
    const waits = waitsOf(await simulate(statements, { capacity, heavySlots, queueMs: 5_000 }), "heavy");
    expect(requests).toBeGreaterThan(1);
    expect(waits).toHaveLength(4);
    expect(Math.max(...waits)).toBeLessThan(60);
  });

  it("are released by every drawn schedule, whatever its callers do", async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (arrivals) => {
        const shared = count(1);
        for (const { startedAt, refused } of await simulate(arrivals, {
          capacity,
          heavySlots: shared.heavySlots,
        }))
          expect([startedAt, refused].filter((each) => each !== undefined)).toHaveLength(1);
        expect(shared.left()).toBe(0);
        expect(shared.peak()).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("long statements of several processes", () => {
  const query = (at: number) => arrival({ at, project: "heavy", text: "long", ms: 20 });
  const queries = Array.from({ length: 1_000 }, (_, i) => query(i * 10));
  const light = stream(100, 100, { project: "light" });
  const startedBy = (outcomes: readonly Outcome[], end: number): number =>
    outcomes.filter(
      ({ arrival: { project }, startedAt = Infinity }) => project === "heavy" && startedAt < end,
    ).length;

  /** Sums of which others add `ms` whenever this process adds something. */
  const sums = (ms: number, isContended: boolean) => {
    let spent = 0;
    let tell: (update: LongStatementUpdate) => void = () => undefined;
    const longStatements: LongStatements = {
      spent: ({ id }, own) => {
        spent += own;
        if (own > 0) tell({ kind: "project", id, ms, isContended });
      },
      follow: (listener) => void (tell = listener),
    };
    return { longStatements, spent: () => spent };
  };

  it("keep one pace", async () => {
    const runs = { capacity, queueLength: 2_000 };
    const alone = startedBy(await simulate([...queries, ...light], runs), 10_000);
    const { longStatements } = sums(20, true);
    const both = startedBy(await simulate([...queries, ...light], { ...runs, longStatements }), 10_000);
    expect(both).toBeLessThan(0.6 * alone);
    expect(both).toBeGreaterThan(0.4 * alone);
  });

  it("keep to it where the others ask another process, and not where none does", async () => {
    const runs = { capacity, queueLength: 2_000 };
    const free = startedBy(await simulate(queries, { ...runs, ...sums(0, false) }), 10_000);
    const paced = startedBy(await simulate(queries, { ...runs, ...sums(0, true) }), 10_000);
    expect(free).toBeGreaterThan(900);
    expect(paced).toBeLessThan(600);
  });

  it("count for the others with what they took", async () => {
    const { longStatements, spent } = sums(0, false);
    await simulate(queries, { capacity, queueLength: 2_000, longStatements });
    expect(spent()).toBeCloseTo(20 * queries.length, -2);
  });
});

describe("the database time of a project in several processes", () => {
  const runs = { capacity, msPerSecond: { limited: 100 } };
  /** In which the limit refills one. Milliseconds. */
  const refillMs = 10;
  const limited = stream(100, 40, { project: "limited", text: "own", ms: 30, statementClass: "decision" });
  const flood = stream(200, 20, { project: "other", text: "flood", ms: 500 });
  const startedMs = (outcomes: readonly Outcome[]): number => {
    const ofProject = outcomes.filter(({ arrival }) => arrival.project === "limited");
    return 30 * ofProject.filter(({ startedAt }) => startedAt !== undefined).length;
  };

  it("is one: what another process takes is not left here", async () => {
    const alone = startedMs(await simulate([...limited, ...flood], runs));
    /** Another process takes as much as this one. */
    const databaseTime = (clock: Clock): SharedRate => ({
      report: (_id, bucket, usedMs) => bucket.take(usedMs / refillMs, clock.now()),
    });
    const both = startedMs(await simulate([...limited, ...flood], { ...runs, databaseTime }));
    expect(both).toBeLessThan(0.75 * alone);
    expect(both).toBeGreaterThan(0.25 * alone);
  });

  /** What is reported of the project. */
  const record = () => {
    const reported: number[] = [];
    const databaseTime = (): SharedRate => ({
      report: (id, _bucket, usedMs) => {
        if (id === "limited") reported.push(usedMs);
      },
    });
    return { reported, databaseTime };
  };

  it("is reported as it was used, and with each refusal", async () => {
    const { reported, databaseTime } = record();
    const outcomes = await simulate([...limited, ...flood], { ...runs, databaseTime });
    const refused = outcomes.filter(({ refused }) => refused !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    expect(reported.filter((usedMs) => usedMs === 0).length).toBeGreaterThanOrEqual(refused.length);
    const sum = reported.reduce((all, each) => all + each, 0) / refillMs;
    // Time that was used before another project was active does not count.
    expect(sum).toBeLessThanOrEqual(startedMs(outcomes) + 0.001);
    expect(sum).toBeGreaterThan(startedMs(outcomes) - 100);
  });

  it("is corrected at the rate of its charge, although the limit has changed meanwhile", async () => {
    const { reported, databaseTime } = record();
    const msPerSecond = { limited: 100 };
    const onMoment = ({ now }: { readonly now: number }): void => {
      if (now >= 1_000) msPerSecond.limited = 50_000;
    };
    const first = arrival({ at: 1_000, project: "limited", ms: 300, statementClass: "decision" });
    const arrivals = [first, { ...first, at: 1_100 }, ...flood];
    await simulate(arrivals, { capacity, msPerSecond, databaseTime, onMoment });
    // Of a statement that is new 100 ms are expected.
    expect(reported[0]).toBeCloseTo(100 * refillMs);
    expect(reported).toContainEqual(expect.closeTo(200 * refillMs, 1));
  });

  it("is reported by statements that wait for it, which start once another process has returned it", async () => {
    const databaseTime = (clock: Clock): SharedRate => ({
      report: (id, bucket, usedMs) => {
        if (id === "limited") bucket.setFullIn(usedMs === 0 ? 0 : maxRefillMs, clock.now());
      },
    });
    const background = stream(5, 100, {
      at: 1_000,
      project: "limited",
      text: "own",
      ms: 30,
      statementClass: "background",
    });
    const outcomes = await simulate([...background, ...flood], { ...runs, databaseTime });
    const starts = outcomes.filter(({ arrival }) => arrival.project === "limited");
    expect(Math.max(...starts.map(({ startedAt = Infinity }) => startedAt))).toBeLessThan(10_000);
  });
});

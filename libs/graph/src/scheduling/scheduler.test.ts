import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import fc from "fast-check";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { arrival, schedule, scheduleOfOrganizations, stream, waitsOf } from "../../test/arrivals.ts";
import { type Arrival, type Outcome, simulate } from "../../test/simulation.ts";
import { capacityOf } from "./capacity.ts";
import { maxRestMs } from "./pace.ts";

const capacity = capacityOf({ poolSize: 20, heavyStatements: 2 });
/** Schedules of each law. */
const numRuns = isLongRun() ? 100 : 15;

describe("a drawn schedule", () => {
  it("keeps every bound, and never lets connections lie idle while a statement may use one", async () => {
    await fc.assert(
      fc.asyncProperty(schedule, fc.integer({ min: 1, max: 20 }), async (arrivals, limit) => {
        const busyAt = new Map<string, number>();
        await simulate(arrivals, {
          capacity,
          limit,
          queueLength: 15,
          onMoment: ({ now, inFlight, waiting }) => {
            let all = 0;
            for (const [project, count] of inFlight) {
              if (count > 0) busyAt.set(project, now);
              all += count;
              expect(count).toBeLessThanOrEqual(limit);
            }
            expect(all).toBeLessThanOrEqual(capacity.total);
            for (const [project, count] of waiting) {
              expect(count).toBeLessThanOrEqual(15);
              // A project waits for its own statements, for a full database, or to keep its pace, and for nothing else.
              if (count > 0 && all < Math.min(capacity.total, capacity.heavyTotal))
                expect(now - (busyAt.get(project) ?? now)).toBeLessThanOrEqual(maxRestMs + 1);
            }
          },
        });
      }),
      { numRuns },
    );
  });

  it("answers every statement: it is started, refused in time, or its caller left", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(schedule, scheduleOfOrganizations), async (arrivals) => {
        for (const { arrival, startedAt, refused } of await simulate(arrivals, { capacity })) {
          expect([startedAt, refused].filter((each) => each !== undefined)).toHaveLength(1);
          const { at, timeoutMs, abortAfter = Infinity } = arrival;
          if (startedAt !== undefined)
            expect(startedAt - at).toBeLessThanOrEqual(Math.min(timeoutMs, abortAfter));
          else if (refused?.message !== "left") {
            expect(timeoutMs).toBeLessThan(1e9);
            expect(refused).toMatchObject({
              code: expect.stringMatching(/^(too_many_requests|unavailable)$/),
              headers: { "Retry-After": "1" },
            });
          }
        }
      }),
      { numRuns },
    );
  });
});

describe("a project beside one that floods", () => {
  const flood = stream(400, 1, { project: "heavy", text: "flood", ms: 1_000 });

  it("starts its short statements at once, and its heavy one as well", async () => {
    const light = stream(100, 50, { at: 3_000, project: "light", statementClass: "decision", ms: 2 });
    const query = arrival({ at: 5_000, project: "light", text: "q", ms: 800 });
    const again = arrival({ at: 7_000, project: "light", text: "q", ms: 800 });
    const outcomes = await simulate([...flood, ...light, query, again], { capacity });
    expect(Math.max(...waitsOf(outcomes, "light"))).toBe(0);
  });

  it("runs beside few statements that become heavy, even if most runs of their text are short", async () => {
    let most = 0;
    const running = (now: number, { arrival: { ms }, startedAt = Infinity }: Outcome) =>
      ms > 100 && startedAt <= now && now < startedAt + ms;
    const mixed = stream(1_000, 20, { project: "heavy", text: "m", ms: 2 }).map((each, at) =>
      at % 12 === 11 ? { ...each, ms: 2_000 } : each,
    );
    const light = stream(400, 50, { project: "light", ms: 2 });
    const outcomes = await simulate([...mixed, ...light], { capacity, queueMs: 60_000, queueLength: 5_000 });
    for (let now = 0; now < 20_000; now += 100)
      most = Math.max(most, outcomes.filter((each) => running(now, each)).length);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 * capacity.heavyContended);
  });

  it("finds a connection although it was not known yet that the statements of the other are heavy", async () => {
    const unknown = Array.from({ length: 300 }, (_, i) =>
      arrival({ project: "heavy", text: `text ${i}`, ms: 1_000 }),
    );
    const outcomes = await simulate([...unknown, arrival({ at: 1, project: "light" })], { capacity });
    expect(waitsOf(outcomes, "light")).toEqual([0]);
  });

  it("has at most the heavy statements beside it that the processors allow", async () => {
    let most = 0;
    const light = stream(600, 100, { project: "light", ms: 2 });
    await simulate([...flood, ...light], {
      capacity,
      onMoment: ({ now, inFlight }) => {
        if (now > 10_000 && now < 55_000) most = Math.max(most, inFlight.get("heavy") ?? 0);
      },
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(capacity.heavyContended);
  });

  it.each([
    ["heavy", "query", 1_000],
    ["background", "background", 10],
    ["long", "query", 10],
  ] as const)(
    "keeps half of these processors free of its %s statements, and of no others",
    async (_, statementClass, ms) => {
      const light = stream(600, 100, { project: "light", ms: 2 });
      const busyFrom = async (others: readonly Arrival[]): Promise<number> => {
        const outcomes = await simulate(
          [
            ...stream(40_000 / ms, ms / 4, { project: "heavy", text: "flood", ms, statementClass }),
            ...others,
          ],
          { capacity, queueLength: 50_000 },
        );
        return outcomes
          .filter(
            ({ arrival: { project }, startedAt = 0 }) =>
              project === "heavy" && startedAt > 2_000 && startedAt < 10_000,
          )
          .reduce((sum, outcome) => sum + outcome.arrival.ms, 0);
      };
      // Of eight seconds: one processor of the two that several may use, and all that it wants while it is alone.
      const beside = await busyFrom(light);
      expect(beside).toBeGreaterThanOrEqual(6_000);
      expect(beside).toBeLessThan(10_000);
      expect(await busyFrom([])).toBeGreaterThan(20_000);
    },
  );
});

it("bounds requests about records by connections alone, and holds no project back for them", async () => {
  const announced = new Set<string>();
  let slots = 0;
  const countSlot = (): never => {
    slots += 1;
    throw new Error("a request about records takes no slot of a heavy statement");
  };
  let most = 0;
  const outcomes = await simulate(
    [
      ...stream(60, 5, { project: "records", statementClass: "administration", ms: 2_000 }),
      ...stream(400, 25, { project: "light", statementClass: "decision", ms: 2 }),
    ],
    {
      capacity,
      heavySlots: { announce: ({ id }) => void announced.add(id), note: countSlot, take: countSlot },
      onMoment: ({ inFlight }) => void (most = Math.max(most, inFlight.get("records") ?? 0)),
    },
  );
  expect(most).toBe(capacity.contended);
  expect(Math.max(...waitsOf(outcomes, "light"))).toBe(0);
  expect([...announced]).toEqual(["light"]);
  expect(slots).toBe(0);
});

it("gives a project that asks alone everything but the reserve", async () => {
  let most = 0;
  await simulate(stream(400, 0, { ms: 20, at: 1_000 }).concat(stream(50, 10, { ms: 20 })), {
    capacity,
    onMoment: ({ inFlight }) => void (most = Math.max(most, inFlight.get("a") ?? 0)),
  });
  expect(most).toBe(capacity.alone);
});

it("shares the heavy statements by time: many short ones get as much of it as few long ones", async () => {
  const wide = capacityOf({ poolSize: 100, heavyStatements: 5 });
  const outcomes = await simulate(
    [
      ...stream(600, 1, { project: "long", text: "l", ms: 4_000 }),
      ...stream(3_000, 1, { project: "brief", text: "b", ms: 400 }),
    ],
    { capacity: wide, queueLength: 5_000 },
  );
  const used = (project: string, from: number, to: number): number =>
    outcomes
      .filter(
        ({ arrival: { project: of }, startedAt = -1 }) =>
          of === project && startedAt >= from && startedAt < to,
      )
      .reduce((sum, { arrival: { ms } }) => sum + ms, 0);
  const ratio = used("long", 20_000, 160_000) / used("brief", 20_000, 160_000);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
});

describe("the queue of one project", () => {
  const busy = stream(6, 1, { text: "busy", ms: 5_000 });

  it("serves decisions before queries, captures and background work", async () => {
    const classes = ["background", "capture", "query", "decision"] as const;
    const waiting = classes.map((statementClass) =>
      arrival({ at: 1_000, statementClass, text: "busy", ms: 300, project: "a" }),
    );
    const other = stream(500, 100, { project: "b" });
    const outcomes = await simulate([...busy, ...other, ...waiting], { capacity });
    const order = outcomes
      .filter(({ arrival: { at, project } }) => at === 1_000 && project === "a")
      .toSorted((one, next) => (one.startedAt ?? 0) - (next.startedAt ?? 0))
      .map(({ arrival: { statementClass } }) => statementClass);
    expect(order).toEqual(["decision", "query", "capture", "background"]);
  });

  it("lets background work pass decisions after a while", async () => {
    const decisions = stream(200, 200, { statementClass: "decision", text: "busy", ms: 400 });
    const work = arrival({ at: 2_000, statementClass: "background", text: "busy", ms: 400 });
    const outcomes = await simulate([...decisions, ...stream(400, 100, { project: "b" }), work], {
      capacity,
    });
    // The decisions of its first three seconds are before it, and none later.
    expect(outcomes.at(-1)?.startedAt).toBeLessThan(15_000);
  });

  it("tells of every refusal whose it was, and with which status", async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (arrivals) => {
        const refusals: string[] = [];
        const outcomes = await simulate(arrivals, {
          capacity,
          queueLength: 3,
          onRefused: ({ projectId, statementClass, isOwnLoad }) =>
            refusals.push(`${projectId} ${statementClass} ${isOwnLoad ? 429 : 503}`),
        });
        const answered = outcomes.flatMap(({ arrival: { project, statementClass }, refused }) =>
          refused instanceof Problem ? [`${project} ${statementClass} ${refused.status}`] : [],
        );
        expect(refusals.toSorted()).toEqual(answered.toSorted());
      }),
      { numRuns },
    );
  });

  it("refuses what is too much and what waited for too long, and says which", async () => {
    const outcomes = await simulate(
      [
        ...busy,
        ...stream(10, 0, { at: 1_000, text: "busy", ms: 5_000 }),
        ...stream(100, 100, { project: "b" }),
      ],
      { capacity, queueLength: 4, queueMs: 2_500 },
    );
    const texts = outcomes.flatMap(({ refused }) =>
      refused === undefined
        ? []
        : [refused instanceof Error && "errors" in refused ? refused.errors[0] : refused],
    );
    expect(texts).toContain(
      "concurrent_statements: the queue is full, 4 statements of the project are waiting (limit NEO4J_QUEUE_LENGTH)",
    );
    expect(texts).toContain(
      "concurrent_statements: waited 2.5 s for other statements of the project (NEO4J_QUEUE_MS)",
    );
  });

  it("blames no project where the database ended nothing meanwhile", async () => {
    const silent = { text: "silent", ms: 60_000 };
    const outcomes = await simulate([...stream(8, 0, silent), ...stream(3, 0, { at: 500, ...silent })], {
      capacity,
      queueMs: 2_500,
    });
    const texts = outcomes.flatMap(({ refused }) =>
      refused instanceof Problem ? [refused.errors?.[0]] : [],
    );
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts)).toEqual(new Set(["database: waited 2.5 s for other statements (NEO4J_QUEUE_MS)"]));
  });

  it("blames no project for a call that has lost its time before it waits", async () => {
    const outcomes = await simulate(
      [...busy, ...stream(10, 0, { at: 1_000, text: "busy", ms: 5_000, timeoutMs: 300 })],
      { capacity, queueMs: 2_500 },
    );
    const texts = outcomes.flatMap(({ refused }) =>
      refused instanceof Problem ? [refused.errors?.[0]] : [],
    );
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts)).toEqual(new Set(["database: waited 0.3 s for other statements (NEO4J_QUEUE_MS)"]));
  });
});

describe("the database time of a project in a second", () => {
  const msPerSecond = { a: 100 };
  /** Of these one waits at any time from the first second on. */
  const flood = stream(200, 20, { project: "b", text: "flood", ms: 500 });
  const limited = (statementClass: Arrival["statementClass"]) =>
    stream(100, 40, { project: "a", text: "own", ms: 30, statementClass });
  const refusedOf = (outcomes: readonly Outcome[]) =>
    outcomes.flatMap(({ arrival: { project }, refused }) =>
      refused === undefined ? [] : [[project, refused] as const],
    );

  it("is no limit while no other project waits", async () => {
    const outcomes = await simulate([...limited("decision"), ...stream(40, 100, { project: "b" })], {
      capacity,
      msPerSecond,
    });
    expect(refusedOf(outcomes)).toEqual([]);
  });

  it("is refused beyond it while statements of other projects wait, with the time until there is some again", async () => {
    const refusals: string[] = [];
    const outcomes = await simulate([...limited("decision"), ...flood], {
      capacity,
      msPerSecond,
      onRefused: ({ projectId, limit, isOwnLoad }) => refusals.push(`${projectId} ${limit} ${isOwnLoad}`),
    });
    const refused = refusedOf(outcomes);
    expect(new Set(refusals)).toEqual(new Set(["a share true"]));
    expect(refused.length).toBeGreaterThan(40);
    for (const [project, problem] of refused) {
      expect(project).toBe("a");
      expect(problem).toMatchObject({ code: "too_many_requests", status: 429 });
      const { errors, headers } = problem as Problem; // as the line above says
      expect(errors[0]).toMatch(
        /^database_ms_per_second: .* 100 ms .*\(limit database_ms_per_second, 100\)$/,
      );
      expect(Number(headers["Retry-After"])).toBeGreaterThanOrEqual(1);
    }
    // What it used while others asked is what it may use, and one second's worth at once.
    const used = outcomes.filter(
      ({ arrival: { project }, startedAt }) => project === "a" && startedAt !== undefined,
    );
    expect(used.length * 30).toBeLessThan(100 * 5 + 100);
    expect(used.length * 30).toBeGreaterThan(200);
  });

  it("lets background work wait and refuses none of it", async () => {
    const outcomes = await simulate([...limited("background"), ...flood], { capacity, msPerSecond });
    expect(refusedOf(outcomes)).toEqual([]);
    const waits = waitsOf(outcomes, "a");
    expect(waits).toHaveLength(100);
    expect(Math.max(...waits)).toBeGreaterThan(1_000);
  });
});

describe("more projects than are remembered", () => {
  it("forget the measurements of those that are idle for longest", async () => {
    const outcomes = await simulate(
      [
        ...stream(300, 10, { project: "steady" }),
        ...Array.from({ length: 2_000 }, (_, i) => arrival({ at: 1_000 + i, project: `p${i}` })),
        // Of a text that was never measured these would be started one after the other.
        ...Array.from({ length: 5 }, () => arrival({ at: 3_005, project: "steady" })),
      ],
      { capacity },
    );
    expect(Math.max(...waitsOf(outcomes, "steady"))).toBe(0);
  });
});

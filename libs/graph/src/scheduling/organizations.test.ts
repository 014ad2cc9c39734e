import { describe, expect, it } from "@jest/globals";
import { arrival, stream, waitsOf } from "../../test/arrivals.ts";
import { type Arrival, type Outcome, simulate, type SimulationSettings } from "../../test/simulation.ts";
import { capacityOf } from "./capacity.ts";

const capacity = capacityOf({ poolSize: 20, heavyStatements: 2 });
const projects = Array.from({ length: 12 }, (_, at) => `p${at}`);

/** The same statements from each of twelve projects of one organization. */
const fromMany = (count: number, everyMs: number, more: Partial<Arrival>): Arrival[] =>
  projects.flatMap((project) => stream(count, everyMs, { ...more, project, organization: "many" }));

/** Database time that was begun between two moments, in milliseconds. */
const begun = (
  outcomes: readonly Outcome[],
  isCounted: (arrival: Arrival) => boolean,
  from: number,
  to: number,
) =>
  outcomes
    .filter(({ arrival: each, startedAt = -1 }) => isCounted(each) && startedAt >= from && startedAt < to)
    .reduce((sum, { arrival: { ms } }) => sum + ms, 0);

const isOfMany = ({ organization }: Arrival): boolean => organization === "many";

/** Runs a schedule. @returns its outcomes, and the most statements that the organization had in flight from a moment on */
const run = async (arrivals: readonly Arrival[], from: number, more: Partial<SimulationSettings> = {}) => {
  let most = 0;
  const outcomes = await simulate(arrivals, {
    capacity,
    queueLength: 50_000,
    ...more,
    onMoment: ({ now, inFlight }) => {
      if (now < from || now > from + 5_000) return;
      most = Math.max(
        most,
        projects.reduce((sum, project) => sum + (inFlight.get(project) ?? 0), 0),
      );
    },
  });
  return { outcomes, most };
};

describe("an organization with many projects", () => {
  it("has no more heavy statements beside another organization than one project has", async () => {
    const heavy = fromMany(20, 500, { text: "heavy", ms: 1_000 });
    const light = stream(200, 50, { project: "light", ms: 2 });
    const { outcomes, most } = await run([...heavy, ...light], 3_000);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(capacity.heavyContended);
    expect(Math.max(...waitsOf(outcomes, "light").slice(40))).toBe(0);
  });

  it("has every project's one heavy statement while no other organization is active", async () => {
    const { most } = await run(fromMany(8, 1_000, { text: "heavy", ms: 1_000 }), 2_000);
    expect(most).toBe(projects.length);
  });

  it("counts what its projects have in flight and waiting from the first call that names it", async () => {
    const unnamed = projects.flatMap((project) => stream(3, 10, { project, text: "heavy", ms: 1_000 }));
    const heavy = fromMany(20, 500, { at: 500, text: "heavy", ms: 1_000 });
    const light = stream(200, 50, { project: "light", ms: 2 });
    const { outcomes, most } = await run([...unnamed, ...heavy, ...light], 3_000);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(capacity.heavyContended);
    expect(outcomes.filter(({ startedAt }) => startedAt === undefined)).toEqual([]);
  });

  it("gives each project its heavy statement at once, whatever another project of it has", async () => {
    const first = stream(200, 50, { project: "p0", organization: "many", text: "heavy", ms: 30_000 });
    const known = arrival({ project: "p1", organization: "many", text: "heavy", ms: 500 });
    const late = arrival({ at: 9_000, project: "p1", organization: "many", text: "heavy", ms: 500 });
    const { outcomes } = await run([...first, known, late], 0);
    expect(waitsOf(outcomes, "p1").at(-1)).toBe(0);
  });

  it("keeps half of these processors free with its long statements, and uses them while it is alone", async () => {
    const long = fromMany(400, 25, { text: "long", ms: 20 });
    const light = stream(120, 100, { project: "light", ms: 2 });
    const beside = begun((await run([...long, ...light], 0)).outcomes, isOfMany, 2_000, 10_000);
    // Of eight seconds: the two processors of heavy statements, which is half of the four.
    expect(beside).toBeGreaterThanOrEqual(14_000);
    expect(beside).toBeLessThan(18_000);
    expect(begun((await run(long, 0)).outcomes, isOfMany, 2_000, 10_000)).toBeGreaterThan(40_000);
  });

  it("takes turns as one with a project of another organization", async () => {
    const many = fromMany(150, 5, { text: "heavy", ms: 300 });
    const one = stream(400, 5, { project: "one", text: "heavy", ms: 300 });
    const { outcomes } = await run([...many, ...one], 0);
    const [all, other] = [isOfMany, ({ project }: Arrival) => project === "one"].map((each) =>
      begun(outcomes, each, 5_000, 50_000),
    );
    expect(Number(all) / Number(other)).toBeGreaterThan(0.8);
    expect(Number(all) / Number(other)).toBeLessThan(1.25);
  });

  it("shares its part among its projects", async () => {
    const flood = stream(2_000, 5, { project: "p0", organization: "many", text: "heavy", ms: 300 });
    const second = stream(400, 5, { project: "p1", organization: "many", text: "heavy", ms: 300 });
    const light = stream(1_000, 50, { project: "light", ms: 2 });
    const { outcomes } = await run([...flood, ...second, ...light], 0);
    const [first, other] = ["p0", "p1"].map((id) =>
      begun(outcomes, ({ project }) => project === id, 5_000, 40_000),
    );
    expect(Number(first) / Number(other)).toBeGreaterThan(0.8);
    expect(Number(first) / Number(other)).toBeLessThan(1.25);
  });

  it("is refused when half of all places in the queue are its own: statements of other organizations are queued", async () => {
    const queueLength = 10;
    const flood = fromMany(30, 0, { at: 500, text: "heavy", ms: 2_000 });
    const known = fromMany(1, 0, { text: "heavy", ms: 2_000 });
    const other = stream(20, 0, { at: 600, project: "other", text: "heavy", ms: 200, timeoutMs: 1e9 });
    const outcomes = await simulate([...known, ...flood, ...other], { capacity, queueLength, queueMs: 1e9 });
    const refused = outcomes.flatMap(({ arrival: each, refused: reason }) =>
      reason === undefined ? [] : [[each.organization, reason] as const],
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(
      refused.filter(([organization]) => organization === "many").map(([, reason]) => reason),
    ).toContainEqual(
      expect.objectContaining({
        status: 429,
        errors: [
          "concurrent_statements: the queue is full, 50 statements of the organization are waiting (limit 5 times NEO4J_QUEUE_LENGTH)",
        ],
      }),
    );
    const ofOther = outcomes.filter(({ arrival: each }) => each.project === "other");
    expect(ofOther.filter(({ startedAt }) => startedAt !== undefined).length).toBeGreaterThanOrEqual(
      queueLength,
    );
  });

  it("gets 429 for a statement that waited for others of the organization", async () => {
    const flood = fromMany(120, 100, { text: "heavy", ms: 30_000 });
    const light = stream(300, 100, { project: "light", ms: 2 });
    const late = arrival({ at: 8_000, project: "quiet", organization: "many", text: "heavy", ms: 30_000 });
    const first = arrival({ project: "quiet", organization: "many", text: "heavy", ms: 500 });
    const outcomes = await simulate([...flood, first, ...light, late], { capacity, queueMs: 2_500 });
    expect(outcomes.at(-1)?.refused).toMatchObject({
      status: 429,
      errors: [
        "concurrent_statements: waited 2.5 s for other statements of the organization (NEO4J_QUEUE_MS)",
      ],
    });
  });
});

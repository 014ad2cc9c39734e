import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../../stack/src/ports.ts";
import { openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { startProcess, type TestProcess } from "../../../stack/src/testing/servers/test-process.ts";
import type { ScorerMetrics } from "../src/scorer.ts";
import { finalScore, people } from "./people.ts";
import { openTestBed, type TestBed, type TestScorer } from "./scorer-under-test.ts";
import type { StoredState, TestProject } from "./test-project.ts";

const long = isLongRun();
const running = new Set<TestScorer>();
/** Beside other tests a range pauses for twelve times as long as it works. */
const scoredWithinMs = 180_000;
let bed: TestBed;

beforeAll(async () => {
  bed = await openTestBed();
});
afterEach(async () => {
  for (const each of running) await each.close();
  running.clear();
  // Scorers of the next test count what they finish, and would finish runs of these as well.
  await bed.removeProjects();
});
afterAll(async () => {
  await bed.close();
});

const start = async (settings: Parameters<TestBed["start"]>[0]): Promise<TestScorer> => {
  const scorer = await bed.start(settings);
  running.add(scorer);
  return scorer;
};

/** Counts what a scorer does. */
const counting = () => {
  const counts = { rows: 0, finished: 0 };
  const metrics: ScorerMetrics = {
    rows: (count) => (counts.rows += count),
    run: (outcome) => void (outcome === "finished" && (counts.finished += 1)),
    repeated: () => undefined,
  };
  return { counts, metrics };
};

/** Every node has the score of this run, and it is the one that the formulas say. */
const expectAll = async (
  project: TestProject,
  nodes: ReturnType<typeof people>,
  state: StoredState,
): Promise<void> => {
  const scores = await project.scores("Person");
  expect(Object.keys(scores).length).toBe(Object.keys(nodes).length);
  expect(new Set(Object.values(scores).map((score) => score["run_id"]))).toEqual(
    new Set([state["last_run_id"]]),
  );
  const wrong = Object.entries(nodes).filter(
    ([id, fields]) => scores[id]?.["_final_score"] !== finalScore(fields, state["last_run_start_time"]),
  );
  expect(wrong).toEqual([]);
};

describe("two workers at one profile", () => {
  it("score every node once, both of them some", async () => {
    const project = await bed.project();
    const nodes = people(3_000);
    await project.nodes("Person", nodes);
    const [one, other] = [counting(), counting()];
    const settings = { batchSize: 50, rangeSize: 300, concurrency: 2, pacePercent: 50 };
    await start({ ...settings, metrics: one.metrics });
    await start({ ...settings, metrics: other.metrics });
    const profile = await project.profile();
    const state = await project.scored(profile, undefined, scoredWithinMs);
    await expectAll(project, nodes, state);
    expect(one.counts.rows + other.counts.rows).toBe(3_000);
    expect(Math.min(one.counts.rows, other.counts.rows)).toBeGreaterThan(0);
    expect(one.counts.finished + other.counts.finished).toBe(1);
  }, 240_000);
});

describe("a database that is unavailable for a while", () => {
  it("makes a run wait, and then go on", async () => {
    const project = await bed.project();
    const nodes = people(2_000);
    await project.nodes("Person", nodes);
    const { hostname, port } = new URL(requireVariable("NEO4J_URI"));
    const proxy = await openFaultyProxy({ host: hostname, port: Number(port || 7687) });
    try {
      const { counts, metrics } = counting();
      await start({ batchSize: 50, pacePercent: 20, metrics, neo4jUri: `bolt://127.0.0.1:${proxy.port}` });
      const profile = await project.profile();
      await project.waitForScores((count) => count > 0, 5);
      const { run_id: run, start_time: began } = (await project.state(profile)) ?? {};
      proxy.state = "reset";
      const before = await project.countScores();
      await wait(long ? 30_000 : 3_000);
      // What was under way may have been committed.
      expect((await project.countScores()) - before).toBeLessThanOrEqual(50);
      expect(before).toBeLessThan(2_000);
      proxy.state = "through";
      const mended = performance.now();
      await project.waitForScores((count) => count > before + 50);
      // Not as long again as the database was unavailable: no work accumulated meanwhile.
      expect(performance.now() - mended).toBeLessThan(10_000);
      const state = await project.scored(profile, undefined, scoredWithinMs);
      expect(state).toMatchObject({ last_run_id: run, last_run_start_time: began });
      await expectAll(project, nodes, state);
      expect(counts.finished).toBe(1);
    } finally {
      for (const each of running) await each.close();
      running.clear();
      await proxy.close();
    }
  }, 300_000);
});

/** Three hours, a thousand times as fast. */
const intervalMs = 10_800;

describe("a Redis that ends in the middle of a run, with all it knew", () => {
  it("does no harm: the run continues, and the schedule too", async () => {
    const port = await freePort();
    const redisUrl = `redis://127.0.0.1:${port}`;
    const startRedis = (): Promise<TestProcess> =>
      startProcess({
        program: "redis-server",
        args: ["--port", String(port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"],
        env: {},
        isReady: async () => (await wait(200), true),
      });
    let redis = await startRedis();
    try {
      const project = await bed.project();
      const nodes = people(2_000);
      await project.nodes("Person", nodes);
      const { counts, metrics } = counting();
      await start({ batchSize: 50, pacePercent: 20, scale: 0.001, redisUrl, metrics });
      const profile = await project.profile({ schedule: "THREE_HOURS" });
      await project.waitForScores((count) => count > 0, 5);
      const { run_id: run } = (await project.state(profile)) ?? {};
      await redis.end("SIGKILL");
      await wait(500);
      redis = await startRedis();
      const state = await project.scored(profile, undefined, scoredWithinMs);
      expect(state["last_run_id"]).toBe(run);
      await expectAll(project, nodes, state);
      const next = await project.scored(profile, String(state["last_run_start_time"]), scoredWithinMs);
      // Not at once, as for a new profile: an interval after the former one. On a busy machine more than one has passed.
      const [first = 0, second = 0] = [state, next].map((each) =>
        Date.parse(String(each["last_run_start_time"])),
      );
      expect(second - first).toBeGreaterThanOrEqual(10_000);
      expect(counts.finished).toBeGreaterThanOrEqual(2);
      expect(counts.finished).toBeLessThanOrEqual(1 + Math.round((second - first) / intervalMs));
      await expectAll(project, nodes, next);
    } finally {
      for (const each of running) await each.close();
      running.clear();
      await redis.end("SIGKILL");
    }
  }, 420_000);
});

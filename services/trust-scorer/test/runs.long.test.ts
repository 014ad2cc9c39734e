import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { type Gid, newGid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openTestBed, type TestBed, type TestScorer } from "./scorer-under-test.ts";
import type { StoredState, TestProject } from "./test-project.ts";

let bed: TestBed;
let project: TestProject;
let running: TestScorer | undefined;
const now = Date.parse("2026-06-01T00:00:00Z");
/** A clock that goes on, from the time of the examples. */
const clock = (() => {
  const since = Date.now();
  return () => new Date(now + Date.now() - since);
})();

beforeAll(async () => {
  bed = await openTestBed();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});
afterAll(async () => {
  await bed.close();
});

const may = "2026-05-02T00:00:00.000Z";
const verified = {
  "email.metadata.verified_time": "2026-05-10T08:00:00.000Z",
  "name.metadata.verified_time": "2026-05-10T08:00:00.000Z",
  "email.metadata.source": "id-verifier.gov",
  "name.metadata.source": "id-verifier.gov",
};
const a = {
  email: "a@x",
  name: "A",
  update_time: may,
  create_time: may,
  "email.update_time": may,
  "name.update_time": "2025-12-03T00:00:00.000Z",
  ...verified,
};
const b = {
  email: "b@x",
  name: "B",
  update_time: may,
  create_time: may,
  "email.update_time": may,
  "name.update_time": may,
  "email.metadata.source": "user-self-attested",
  "name.metadata.source": "user-self-attested",
};

const isOpen = (state: StoredState | undefined): boolean => state?.["run_id"] !== undefined;

describe("runs of several projects", () => {
  it("take turns: a few nodes do not wait for the many ranges of a stranger", async () => {
    const stranger = await bed.project();
    project = await bed.project();
    const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`n${i}`, a]));
    await stranger.nodes("Person", many);
    await project.nodes("Person", { a, b });
    const large = await stranger.profile();
    running = await bed.start({ now: clock, concurrency: 1, batchSize: 20, rangeSize: 100, turnMs: 100 });
    await stranger.waitForScores((count) => count > 0);
    const small = await project.profile();
    await project.scored(small, undefined, 60_000);
    expect(await stranger.countScores()).toBeLessThan(6_000);
    await stranger.scored(large, undefined, 120_000);
    expect(await stranger.countScores()).toBe(6_000);
  }, 240_000);

  it("take turns by project: many profiles of one get no more than the one profile of another", async () => {
    const stranger = await bed.project();
    project = await bed.project();
    const some = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`n${i}`, a]));
    const types = Array.from({ length: 8 }, (_, i) => `Person${i}`);
    for (const type of types) await stranger.nodes(type, some);
    await project.nodes("Person", some);
    const profiles = await Promise.all(types.map((type) => stranger.profile({ type })));
    const settings = { now: clock, concurrency: 1, batchSize: 20, rangeSize: 100, turnMs: 100 };
    const states = () => Promise.all(profiles.map((profile) => stranger.state(profile)));
    // So slowly that none of their runs ends before the last one has begun.
    running = await bed.start({ ...settings, pacePercent: 1 });
    await eventually(states, (all) => all.every(isOpen), { withinMs: 120_000, everyMs: 50 });
    await running.close();
    const small = await project.profile();
    running = await bed.start({ ...settings, pacePercent: 25 });
    await eventually(() => project.state(small), isOpen, { withinMs: 120_000, everyMs: 20 });
    const before = await stranger.countScores();
    await project.scored(small, undefined, 120_000);
    // By equal turns some 600; eight runs with a turn each would have all of their 4,800.
    expect((await stranger.countScores()) - before).toBeLessThan(1_800);
    for (const profile of profiles) await stranger.scored(profile, undefined, 240_000);
    expect(await stranger.countScores()).toBe(4_800);
  }, 480_000);

  it("take turns by organization: many projects of one get no more than the one project of another", async () => {
    const organization = newGid("organization");
    const some = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`n${i}`, a]));
    const strangers: { readonly of: TestProject; readonly profile: Gid }[] = [];
    for (let made = 0; made < 6; made++) {
      const of = await bed.project(undefined, false, organization);
      await of.nodes("Person", some);
      strangers.push({ of, profile: await of.profile() });
    }
    project = await bed.project();
    await project.nodes("Person", some);
    const settings = { now: clock, concurrency: 1, batchSize: 20, rangeSize: 100, turnMs: 100 };
    const states = () => Promise.all(strangers.map(({ of, profile }) => of.state(profile)));
    const scoredOfStrangers = async (): Promise<number> => {
      const counts = await Promise.all(strangers.map(({ of }) => of.countScores()));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    // So slowly that none of their runs ends before the last one has begun.
    running = await bed.start({ ...settings, pacePercent: 1 });
    await eventually(states, (all) => all.every(isOpen), { withinMs: 120_000, everyMs: 50 });
    await running.close();
    const small = await project.profile();
    running = await bed.start({ ...settings, pacePercent: 25 });
    await eventually(() => project.state(small), isOpen, { withinMs: 120_000, everyMs: 20 });
    const before = await scoredOfStrangers();
    await project.scored(small, undefined, 120_000);
    // By equal turns some 600; six projects with a turn each would have all of their 3,600.
    expect((await scoredOfStrangers()) - before).toBeLessThan(1_800);
    for (const { of, profile } of strangers) await of.scored(profile, undefined, 240_000);
    expect(await scoredOfStrangers()).toBe(3_600);
  }, 480_000);

  it("do not wait for a project whose database is unavailable", async () => {
    const stranger = await bed.project();
    project = await bed.project();
    const some = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, a]));
    await stranger.nodes("Person", some);
    await project.nodes("Person", { a, b });
    const waiting = await stranger.profile();
    running = await bed.start({ now: clock, concurrency: 1, batchSize: 1, pacePercent: 1 });
    await stranger.waitForScores((count) => count > 0, 5);
    await running.close();
    await stranger.setStatus("PENDING");
    running = await bed.start({ now: clock, concurrency: 1, turnMs: 100 });
    // The only worker waits for the database of the stranger.
    await wait(1_000);
    const profile = await project.profile();
    await project.scored(profile);
    expect(await stranger.state(waiting)).toHaveProperty("run_id");
    await stranger.setStatus("ACTIVE");
    await stranger.scored(waiting);
    expect(await stranger.countScores()).toBe(50);
  }, 240_000);
});

describe("runs of one project", () => {
  it("begin at once where a worker is free, while the only range of another one is worked on", async () => {
    project = await bed.project();
    await project.nodes("Person", Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`n${i}`, a])));
    await project.nodes("Car", { c: a });
    const large = await project.profile();
    running = await bed.start({ now: clock, concurrency: 2, batchSize: 20, pacePercent: 5 });
    await project.waitForScores((count) => count > 0);
    const small = await project.profile({ type: "Car" });
    await project.scored(small);
    expect(await project.state(large)).toHaveProperty("run_id");
  }, 120_000);
});

describe("the first run of a profile", () => {
  it("comes at once and scores every node of its type", async () => {
    project = await bed.project();
    await project.nodes("Person", { a, b });
    await project.nodes("Car", { c: a });
    const profile = await project.profile();
    running = await bed.start({ now: clock });
    const state = await project.scored(profile);
    const scores = await project.scores("Person");
    expect(scores["a"]).toMatchObject({
      _final_score: 0.8477,
      _verification: 1,
      _origin: 0.75,
      _freshness: 0.7932,
      profile_id: profile,
      run_id: state["last_run_id"],
      type: "_TrustScore",
    });
    expect(scores["b"]).toMatchObject({ _final_score: 0.4303, _verification: 0, _origin: 0.4 });
    expect(scores["a"]).not.toHaveProperty("_validity");
    expect(await project.scores("Car")).toEqual({});
    const kinds = await project.run(
      `MATCH (t:_TrustScore__${project.pk}) RETURN DISTINCT valueType(t._verification) AS kind`,
    );
    expect(kinds).toEqual([{ kind: "FLOAT NOT NULL" }]);
    // No pattern of a policy finds a score: one without a type asks for the label of the project.
    const labels = await project.run(
      `MATCH (t:_TrustScore__${project.pk}) UNWIND labels(t) AS label RETURN DISTINCT label ORDER BY label`,
    );
    expect(labels.map((row) => row["label"])).toEqual(["_Node", `_TrustScore__${project.pk}`]);
    expect(state).toMatchObject({ last_dimensions: ["FRESHNESS", "ORIGIN", "VERIFICATION"] });
    expect(Object.keys(state).filter((name) => /^(run_id|scored_|done_|total|bounds)/.test(name))).toEqual(
      [],
    );
    expect(
      await project.run("MATCH (g:_TrustRange) WHERE g.key STARTS WITH $id RETURN g", { id: project.id }),
    ).toEqual([]);
  });

  it("is one of several ranges and pages for a larger type", async () => {
    project = await bed.project();
    const many = Object.fromEntries(
      Array.from({ length: 2_345 }, (_, i) => [`n${i}`, i % 2 === 0 ? a : b] as const),
    );
    await project.nodes("Person", many);
    const profile = await project.profile({
      dimensions: { COMPLETENESS: 1, VALIDITY: 0.5, FRESHNESS: 1, ORIGIN: 0, VERIFICATION: 0.1 },
    });
    running = await bed.start({ now: clock, batchSize: 100, rangeSize: 500 });
    const state = await project.scored(profile);
    const scores = Object.values(await project.scores("Person"));
    expect(scores.length).toBe(2_345);
    expect(scores.every((score) => score["run_id"] === state["last_run_id"])).toBe(true);
    expect(scores.every((score) => score["_completeness"] === 1 && score["_validity"] === 0.5)).toBe(true);
  });

  it("ends also when there is nothing to score", async () => {
    project = await bed.project();
    const profile = await project.profile({ type: "Nothing", dimensions: { COMPLETENESS: 1 } });
    running = await bed.start({ now: clock });
    expect(await project.scored(profile)).toMatchObject({ last_dimensions: ["COMPLETENESS"] });
  });
});

describe("later runs", () => {
  it("come on schedule, and write what the profile names by then", async () => {
    project = await bed.project();
    await project.nodes("Person", { a, b });
    const profile = await project.profile({ schedule: "THREE_HOURS" });
    // Three hours are a second and a bit.
    running = await bed.start({ scale: 0.0001 });
    const first = await project.scored(profile);
    await project.changeProfile(profile, { schedule: "THREE_HOURS", dimensions: { ORIGIN: 1 } });
    await project.nodes("Person", { c: a });
    const changed = new Date().toISOString();
    const second = await project.scored(profile, changed);
    expect(second["last_run_id"]).not.toBe(first["last_run_id"]);
    const scores = await project.scores("Person");
    expect(Object.keys(scores).sort()).toEqual(["a", "b", "c"]);
    expect(scores["a"]).toMatchObject({ _final_score: 0.75, _origin: 0.75, run_id: expect.any(String) });
    expect(scores["a"]).not.toHaveProperty("_freshness");
    expect(await project.countScores()).toBe(3);
  });

  it("remove the scores of nodes that are gone", async () => {
    project = await bed.project();
    await project.nodes("Person", { a, b });
    const profile = await project.profile({ schedule: "THREE_HOURS" });
    running = await bed.start({ scale: 0.0001 });
    await project.scored(profile);
    await project.run(`MATCH (n:Person__${project.pk} {external_id: 'b'}) DETACH DELETE n`);
    await project.scored(profile, new Date().toISOString());
    expect(await project.countScores()).toBe(1);
  });
});

describe("a profile that is deleted", () => {
  it("takes its scores with it, and no other's", async () => {
    project = await bed.project();
    await project.nodes("Person", { a, b });
    await project.nodes("Car", { c: a });
    const [profile, other] = [await project.profile(), await project.profile({ type: "Car" })];
    const elsewhere = await bed.project();
    await elsewhere.nodes("Person", { a });
    const third = await elsewhere.profile();
    running = await bed.start();
    await Promise.all([project.scored(profile), project.scored(other), elsewhere.scored(third)]);
    await project.removeProfile(profile);
    await project.waitForScores((count) => count <= 1);
    expect(Object.keys(await project.scores("Car"))).toEqual(["c"]);
    expect(await elsewhere.countScores()).toBe(1);
  });

  it("in the middle of a run ends it", async () => {
    project = await bed.project();
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`n${i}`, a] as const));
    await project.nodes("Person", many);
    const profile = await project.profile();
    running = await bed.start({ batchSize: 50, pacePercent: 10 });
    await project.waitForScores((count) => count > 0, 5);
    await project.removeProfile(profile);
    await project.waitForScores((count) => count === 0);
    await wait(500);
    expect(await project.countScores()).toBe(0);
    expect(await project.state(profile)).not.toHaveProperty("last_run_id");
  });
});

describe("a project without an active graph", () => {
  it("has its slots skipped", async () => {
    project = await bed.project();
    await project.nodes("Person", { a });
    await project.setStatus("FAILED");
    const profile = await project.profile({ schedule: "THREE_HOURS" });
    running = await bed.start({ scale: 0.00005 });
    await wait(1_500);
    expect(await project.state(profile)).toBeUndefined();
    await project.setStatus("ACTIVE");
    await project.scored(profile);
    expect(await project.countScores()).toBe(1);
  });
});

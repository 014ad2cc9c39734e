import { afterEach, describe, expect, it } from "@jest/globals";
import {
  above,
  buy,
  changed,
  first,
  noMatch,
  none,
  own,
  owners,
  sell,
  unchanged,
  useReplayWorld,
  world,
} from "./replay-cases.ts";

useReplayWorld();

describe("the verdict of a replay", () => {
  afterEach(() => world.run(buy));

  it("is `graph_changed` where both have changed, and `same` where today answers as recorded all the same", async () => {
    const { old, next } = await changed(owners, noMatch);
    const record = await world.evaluated(old, own);
    const wide = await changed(owners, { cypher: "MATCH (subject), (resource)" });
    const balanced = await world.evaluated(wide.old, own);
    await world.run(sell);
    expect(first(await world.replay(next, [record]))).toMatchObject({ verdict: "graph_changed", now: false });
    expect(first(await world.replay(wide.next, [balanced]))).toMatchObject({ verdict: "same", now: true });
  });
});

describe("inputs of a replay", () => {
  it("left out by the operator are not taken as not sent", async () => {
    const snapshot = unchanged(above);
    const record = await world.evaluated(
      snapshot,
      { ...own, context: { input_params: { min: 2 } } },
      { settings: none },
    );
    expect(first(await world.replay(snapshot, [record]))?.because).toEqual({
      reason: "inputs_omitted",
      missing: ["$min"],
    });
    const without = await world.evaluated(unchanged(owners), own, { settings: none });
    expect(first(await world.replay(unchanged(owners), [without]))?.verdict).toBe("same");
  });

  it("that were cut are not guessed", async () => {
    const snapshot = unchanged(above);
    const long = { ...own, context: { input_params: { min: 2, note: "n".repeat(2_000) } } };
    const harmless = await world.evaluated(snapshot, long);
    expect(first(await world.replay(snapshot, [harmless]))?.verdict).toBe("same");
    const list = unchanged({
      cypher: "MATCH (subject)-[:OWNS]->(resource) WHERE subject.property.level IN $levels",
    });
    const levels = Array.from({ length: 10_000 }, (_, index) => index);
    const cut = await world.evaluated(list, { ...own, context: { input_params: { levels } } });
    expect(first(await world.replay(list, [cut]))?.because).toEqual({
      reason: "inputs_cut",
      missing: ["$levels"],
    });
  });
});

describe("records of batches", () => {
  it("that were cut are not replayed", async () => {
    const snapshot = unchanged(owners);
    const record = await world.batch(snapshot, {
      ...own,
      evaluations: Array.from({ length: 500 }, () => ({ resource: { type: "Car", id: "x".repeat(200) } })),
    });
    const { results, verdicts } = await world.replay(snapshot, [record]);
    expect(results.length).toBe(verdicts.not_replayable);
    expect(first({ milliseconds: 0, results, verdicts })?.because).toEqual({ reason: "record_cut" });
  });
});

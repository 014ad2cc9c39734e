import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CaptureUnderTest, startCapture } from "./capture-under-test.ts";
import { fresh, pairs, relationship } from "./named-cars.ts";
import { range } from "./range.ts";

let capture: CaptureUnderTest;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

describe("a batch of 250 different types", () => {
  const types = range(250).map((i) => `T${i}_${fresh().toUpperCase()}`);

  it("of relationships is written and removed as quickly as a batch is", async () => {
    const project = capture.project();
    await pairs(project);
    const before = performance.now();
    const { status } = await project.relationships(types.map((type) => relationship(type)));
    expect(status).toBe(200);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 250 });
    expect((await project.relationships(types.map((type) => relationship(type)))).status).toBe(200);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 250 });
    const removing = performance.now();
    const removed = await project.send("POST", "/capture/v1/relationships/delete", {
      relationships: types.map((type) => relationship(type)),
    });
    expect(removed.body.results?.filter(({ id }) => id !== "")).toHaveLength(250);
    expect(performance.now() - removing).toBeLessThan(5_000);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 0 });
  });

  it("of nodes is written as quickly as a batch is", async () => {
    const project = capture.project();
    const before = performance.now();
    const { status } = await project.nodes(types.map((type) => ({ type, external_id: "x" })));
    expect(status).toBe(200);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await project.counts()).toEqual({ nodes: 250, relationships: 0 });
  });
});

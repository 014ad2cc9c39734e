import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

let capture: CaptureUnderTest;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
/** A beginning of names that no other test has. */
const fresh = (): string => `x${randomBytes(6).toString("hex")}_`;

/** Names of the store that begin so: property keys, labels and relationship types. */
const stored = async (prefix: string): Promise<number> => {
  const text = `CALL { CALL db.propertyKeys() YIELD propertyKey AS name RETURN name
    UNION ALL CALL db.labels() YIELD label AS name RETURN name
    UNION ALL CALL db.relationshipTypes() YIELD relationshipType AS name RETURN name }
    WITH name WHERE name STARTS WITH $prefix RETURN count(*) AS count`;
  const [row] = await capture.graph.shared.read(text, { prefix }, { timeoutMs: 30_000 });
  return Number(row?.["count"]);
};

const limited = (limits: Parameters<typeof capture.project>[2]): TestProject =>
  capture.project("ACTIVE", undefined, limits);

const node = (external_id: string, ...names: readonly string[]) => ({
  type: "Car",
  external_id,
  properties: names.map((type) => ({ type, value: 1 })),
});

const pairs = async (project: TestProject): Promise<void> => {
  await project.nodes([node("a"), node("b")]);
};
const relationship = (type: string, more: object = {}) => ({
  source: { type: "Car", external_id: "a" },
  target: { type: "Car", external_id: "b" },
  type,
  ...more,
});

describe("a batch with more names than the project may have", () => {
  it("of properties is refused, and the store keeps none of them", async () => {
    const project = limited({ property_names: 100 });
    const prefix = fresh();
    const names = range(101).map((i) => `${prefix}${i}`);
    const { status, body } = await project.nodes([node("a"), node("b", ...names)]);
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      `nodes[1]: the project's graph has 0 property names and cannot take 101 more: ${prefix}0 and others (limit property_names, 100)`,
    ]);
    expect(await stored(prefix)).toBe(0);
    expect((await project.nodes([node("b", ...names.slice(1))])).status).toBe(200);
    expect((await project.nodes([node("c", ...names.slice(1))])).status).toBe(200);
    expect((await project.nodes([node("c", `${prefix}0`)])).status).toBe(422);
    // The value of each and the time of its last write.
    expect(await stored(prefix)).toBe(200);
  });

  it("of metadata, node types, labels, relationship types and their properties is refused", async () => {
    const project = limited({ property_names: 2, node_types: 2, relationship_types: 1 });
    await pairs(project);
    expect(
      (await project.relationships([relationship("A", { properties: [{ type: "p", value: 1 }] })])).status,
    ).toBe(200);
    const prefix = fresh();
    const custom = { [`${prefix}a`]: 1, [`${prefix}b`]: 1 };
    const refused = [
      await project.nodes([
        { ...node("a"), properties: [{ type: "p", value: 1, metadata: { custom_metadata: custom } }] },
      ]),
      await project.nodes([{ ...node("a"), labels: [`${prefix}A`, `${prefix}B`] }]),
      await project.nodes([{ type: `${prefix}C`, external_id: "c", labels: [`${prefix}D`] }]),
      await project.relationships([relationship(prefix.toUpperCase().slice(0, 10))]),
      await project.relationships([
        relationship("A", {
          properties: [
            { type: `${prefix}q`, value: 1 },
            { type: `${prefix}r`, value: 1 },
          ],
        }),
      ]),
      await project.send("PUT", "/capture/v1/nodes/Car:a", node("a", `${prefix}s`, `${prefix}t`)),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 422));
    const limits = [
      "property_names, 2",
      "node_types, 2",
      "node_types, 2",
      "relationship_types, 1",
      "property_names, 2",
      "property_names, 2",
    ];
    refused.forEach(({ body }, at) => expect(body.errors?.[0]).toContain(`(limit ${limits[at]})`));
    expect(await stored(prefix)).toBe(0);
  });

  it("counts what the store keeps though the batch was rolled back", async () => {
    const project = limited({ relationship_types: 5 });
    await pairs(project);
    const missing = { ...relationship("LAST"), target: { type: "Car", external_id: "none" } };
    const types = range(10).map((i) => `${fresh().toUpperCase()}${i}`.replace("X", "T"));
    const statuses: string[] = [];
    for (const type of types) {
      const { body } = await project.relationships([relationship(type), { ...missing, type }]);
      statuses.push(
        body.errors?.[0]?.includes("(limit relationship_types, 5)") === true ? "limit" : "missing",
      );
    }
    expect(statuses).toEqual([...range(5).map(() => "missing"), ...range(5).map(() => "limit")]);
  });
});

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

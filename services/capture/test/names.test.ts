import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";
import { fresh, node, pairs, relationship } from "./named-cars.ts";
import { range } from "./range.ts";

let capture: CaptureUnderTest;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

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
    // Each type is a statement that the database plans.
    const limit = isLongRun() ? 5 : 2;
    const project = limited({ relationship_types: limit });
    await pairs(project);
    const missing = { ...relationship("LAST"), target: { type: "Car", external_id: "none" } };
    const types = range(2 * limit).map((i) => `${fresh().toUpperCase()}${i}`.replace("X", "T"));
    const statuses: string[] = [];
    for (const type of types) {
      const { body } = await project.relationships([relationship(type), { ...missing, type }]);
      const isRefused = body.errors?.[0]?.includes(`(limit relationship_types, ${limit})`) === true;
      statuses.push(isRefused ? "limit" : "missing");
    }
    expect(statuses).toEqual([...range(limit).map(() => "missing"), ...range(limit).map(() => "limit")]);
  });
});

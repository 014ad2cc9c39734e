import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newGid, type DataSchema, defaultOrganizationNames, effectiveLimits } from "@ikg/contracts";
import { openDataSchemaCache } from "../src/data-schema/data-schema-cache.ts";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

let capture: CaptureUnderTest;
let project: TestProject;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());
beforeEach(() => {
  project = capture.project();
});

const ask = async (permissions: ["ReadDataSchema"] | ["Capture"] = ["ReadDataSchema"]) => {
  const headers = await capture.contextOf({ project: project.id, permissions }, "GET", "/data-schema/v1");
  const answer = await fetch(`${capture.url}/data-schema/v1`, { headers });
  return { status: answer.status, body: (await answer.json()) as DataSchema };
};

/** Two persons with properties of several types, a car, and a relationship. */
const captureAll = async (): Promise<void> => {
  await project.nodes([
    {
      type: "Person",
      external_id: "ann",
      is_identity: true,
      labels: ["Driver"],
      properties: [
        { type: "email", value: "a@x", metadata: { source: "hr", custom_metadata: { trust: 0.5 } } },
        { type: "age", value: 30 },
        { type: "id", value: "mine" },
      ],
    },
    {
      type: "Person",
      external_id: "bob",
      properties: [
        { type: "email", external_value: "mail" },
        { type: "age", value: 30.5 },
        { type: "tags", value: ["a"] },
        { type: "on", value: true },
      ],
    },
    { type: "Car", external_id: "c1" },
  ]);
  await project.relationships([
    {
      source: { type: "Person", external_id: "ann" },
      target: { type: "Car", external_id: "c1" },
      type: "OWNS",
      properties: [{ type: "since", value: 2020 }],
    },
  ]);
};

describe("GET /data-schema/v1", () => {
  it("counts nodes, properties, metadata, labels and relationships, by type", async () => {
    await captureAll();
    const { status, body } = await ask();
    expect(status).toBe(200);
    const { graph } = body;
    expect(Date.parse(graph.metadata.updated_at)).toBeGreaterThanOrEqual(
      Date.parse(graph.metadata.created_at),
    );
    const one = (type: string) => ({ count: 1, types: [{ type, count: 1 }] });
    expect(graph.nodes).toEqual({
      Car: {
        metadata: { node_count: 1, properties: {}, system_labels: [], user_defined_labels: [] },
      },
      Person: {
        metadata: {
          node_count: 2,
          properties: {
            age: {
              count: 2,
              types: expect.arrayContaining([...one("integer").types, ...one("float").types]),
            },
            email: {
              count: 2,
              types: expect.arrayContaining([...one("string").types, ...one("external").types]),
              metadata: { source: one("string"), trust: one("float") },
            },
            id: one("string"),
            on: one("boolean"),
            tags: one("array"),
          },
          system_labels: [{ name: "Identity", count: 1 }],
          user_defined_labels: [{ name: "Driver", count: 1 }],
        },
      },
    });
    expect(graph.edges).toEqual([
      {
        source: "Person",
        target: "Car",
        relation: "OWNS",
        directed: true,
        metadata: { count: 1, properties: { since: one("integer") } },
      },
    ]);
  });

  it("is 404 before anything is captured, and sees nothing of another project", async () => {
    const other = capture.project();
    await other.nodes([{ type: "Person", external_id: "x1" }]);
    expect((await ask()).status).toBe(404);
    await project.nodes([{ type: "Car", external_id: "c1" }]);
    const { status, body } = await ask();
    expect([status, Object.keys(body.graph.nodes)]).toEqual([200, ["Car"]]);
  });

  it("needs a permission of its own", async () => {
    expect((await ask(["Capture"])).status).toBe(403);
  });
});

describe("kept schemas", () => {
  it("are counted once for all who ask, and not again until they are a minute old", async () => {
    let counted = 0;
    let time = 1_000_000;
    const schema = { graph: {} } as DataSchema; // handed through, whatever it is
    const schemas = openDataSchemaCache(
      async () => {
        counted++;
        return schema;
      },
      () => time,
    );
    const context = {
      id: project.id,
      pk: project.pk,
      ikgStatus: "ACTIVE",
      limits: effectiveLimits({}),
      organizationId: newGid("organization"),
      organizationNames: defaultOrganizationNames,
    };
    expect(await Promise.all([schemas.of(context), schemas.of(context)])).toEqual([schema, schema]);
    time += 60_000;
    await schemas.of(context);
    expect(counted).toBe(1);
    time += 1;
    await schemas.of(context);
    expect(counted).toBe(2);
    await schemas.close();
  });
});

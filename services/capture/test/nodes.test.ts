import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

let capture: CaptureUnderTest;
let project: TestProject;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const car = (externalId: string, more: object = {}) => ({ external_id: externalId, type: "Car", ...more });
const properties = (...pairs: [string, unknown][]) => ({
  properties: pairs.map(([type, value]) => ({ type, value })),
});
const gid = /^gid:[A-Za-z0-9_-]{27}$/;

describe("POST /capture/v1/nodes", () => {
  beforeAll(() => {
    project = capture.project();
  });

  it("stores values, metadata, times and labels in the physical model", async () => {
    const { status, body } = await project.nodes([
      car("full", {
        is_identity: true,
        labels: ["Electric"],
        properties: [
          {
            type: "price",
            value: 30,
            metadata: {
              verified_time: "2026-01-02T03:04:05.6+02:00",
              source: "dealer",
              assurance_level: 2,
              custom_metadata: { region: "north", tags: ["a", "b"] },
            },
          },
          { type: "vin", external_value: "vin-resolver" },
        ],
      }),
    ]);
    expect(status).toBe(200);
    expect(body.results).toEqual([{ id: expect.stringMatching(gid) }]);
    const stored = await project.node("Car", "full");
    expect(stored?.labels.sort()).toEqual(
      ["_Node", `_P__${project.pk}`, `Car__${project.pk}`, `Electric__${project.pk}`].sort(),
    );
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(stored?.properties).toEqual({
      _key: `${project.pk}/Car/full`,
      id: body.results?.[0]?.id,
      type: "Car",
      external_id: "full",
      is_identity: true,
      create_time: time,
      update_time: time,
      price: 30,
      "price.update_time": time,
      "price.metadata.verified_time": "2026-01-02T01:04:05.600Z",
      "price.metadata.source": "dealer",
      "price.metadata.assurance_level": 2,
      "price.metadata.region": "north",
      "price.metadata.tags": ["a", "b"],
      "vin.external_value": "vin-resolver",
      "vin.update_time": time,
    });
  });

  it("updates what is named, keeps the rest and the id, and moves update_time", async () => {
    const first = await project.nodes([car("u", { is_identity: true, ...properties(["a", 1], ["b", "x"]) })]);
    const before = await project.node("Car", "u");
    const second = await project.nodes([car("u", properties(["a", 2]))]);
    const after = await project.node("Car", "u");
    expect(second.body).toEqual(first.body);
    expect(after?.properties).toMatchObject({ a: 2, b: "x", is_identity: true });
    expect(after?.properties["create_time"]).toBe(before?.properties["create_time"]);
    expect(String(after?.properties["update_time"]) >= String(before?.properties["update_time"])).toBe(true);
    expect(after?.properties["b.update_time"]).toBe(before?.properties["b.update_time"]);
  });

  it("is not an identity unless told so", async () => {
    await project.nodes([car("plain")]);
    expect((await project.node("Car", "plain"))?.properties["is_identity"]).toBe(false);
  });

  it("lets value and external_value replace each other and keeps metadata", async () => {
    const metadata = { source: "s", custom_metadata: { k: 1 } };
    await project.nodes([car("v", { properties: [{ type: "p", value: 1, metadata }] })]);
    await project.nodes([
      car("v", { properties: [{ type: "p", external_value: "r", metadata: { source: "t" } }] }),
    ]);
    const external = await project.node("Car", "v");
    expect(external?.properties).toMatchObject({
      "p.external_value": "r",
      "p.metadata.source": "t",
      "p.metadata.k": 1,
    });
    expect(external?.properties).not.toHaveProperty("p");
    await project.nodes([car("v", properties(["p", false]))]);
    const value = await project.node("Car", "v");
    expect(value?.properties).toMatchObject({ p: false, "p.metadata.source": "t" });
    expect(value?.properties).not.toHaveProperty(["p.external_value"]);
  });

  it("keeps extra labels when absent, replaces them when present, and never loses the type", async () => {
    const labels = async () =>
      (await project.node("Car", "l"))?.labels.filter((label) => !label.startsWith("_")).sort();
    const named = (...names: string[]) => names.map((name) => `${name}__${project.pk}`).sort();
    await project.nodes([car("l", { labels: ["Red", "Fast"] })]);
    expect(await labels()).toEqual(named("Car", "Red", "Fast"));
    await project.nodes([car("l", properties(["x", 1]))]);
    expect(await labels()).toEqual(named("Car", "Red", "Fast"));
    await project.nodes([car("l", { labels: ["Fast", "Car", "New"] })]);
    expect(await labels()).toEqual(named("Car", "Fast", "New"));
    await project.nodes([car("l", { labels: [] })]);
    expect(await labels()).toEqual(named("Car"));
  });

  it("keeps kinds of values apart", async () => {
    const values: [string, unknown][] = [
      ["int", 30],
      ["text", "30"],
      ["float", 30.5],
      ["negative", -1],
      ["largest", 2 ** 53 - 1],
      ["flag", true],
      ["empty", ""],
      ["none", []],
      ["strings", ["b", "a", "b"]],
      ["ints", [1, 2]],
      ["mixed", [1, 2.5]],
      ["flags", [true, false]],
      ["unicode", '\u0027 𝄞 `"\\ \u0000'],
    ];
    expect((await project.nodes([car("kinds", properties(...values))])).status).toBe(200);
    const stored = await project.node("Car", "kinds");
    for (const [name, value] of values) expect(stored?.properties[name]).toEqual(value);
    const [kinds] = await capture.graph.shared.read(
      "MATCH (n:_Node {_key: $key}) RETURN valueType(n.int) AS int, valueType(n.float) AS float, valueType(n.text) AS text",
      { key: `${project.pk}/Car/kinds` },
      { timeoutMs: 80_000 },
    );
    expect(kinds).toEqual({ int: "INTEGER NOT NULL", float: "FLOAT NOT NULL", text: "STRING NOT NULL" });
  });

  it("lets no property name hide or change a field of the node", async () => {
    const names = [
      "__proto__",
      "constructor",
      "toString",
      "id",
      "type",
      "external_id",
      "create_time",
      "is_identity",
      "_key",
      "_p",
      "__k_Car",
    ];
    const { status, body } = await project.nodes([
      car("hostile", properties(...names.map((name): [string, unknown] => [name, `v-${name}`]))),
    ]);
    expect(status).toBe(200);
    const stored = await project.node("Car", "hostile");
    expect(stored?.properties).toMatchObject({
      _key: `${project.pk}/Car/hostile`,
      id: body.results?.[0]?.id,
      type: "Car",
      external_id: "hostile",
      is_identity: false,
      constructor: "v-constructor",
      toString: "v-toString",
      "_p.id": "v-id",
      "_p.type": "v-type",
      "_p._key": "v-_key",
      "_p.__proto__": "v-__proto__",
    });
  });

  it("stores metadata keys called __proto__ and constructor as they are", async () => {
    const raw = `{"nodes":[{"external_id":"meta","type":"Car","properties":[{"type":"p","value":1,
      "metadata":{"custom_metadata":{"__proto__":"x","constructor":"y"}}}],"__proto__":{"is_identity":true}}]}`;
    expect((await project.send("POST", "/capture/v1/nodes", raw)).status).toBe(200);
    expect((await project.node("Car", "meta"))?.properties).toMatchObject({
      "p.metadata.__proto__": "x",
      "p.metadata.constructor": "y",
      is_identity: false,
    });
  });

  it("takes on_missing, and leaves nothing out: a node names nothing that has to exist", async () => {
    const own = capture.project();
    const node = car("alone", { properties: [{ type: "vin", external_value: "no-such-resolver" }] });
    for (const method of ["POST", "PUT"]) {
      const answer = await own.send(method, "/capture/v1/nodes", { nodes: [node], on_missing: "skip" });
      expect([answer.status, answer.body]).toEqual([
        200,
        { results: [{ id: expect.stringMatching(gid) }], skipped: [] },
      ]);
    }
    const plain = await own.send("POST", "/capture/v1/nodes", { nodes: [node], on_missing: "fail" });
    expect(Object.keys(plain.body)).toEqual(["results"]);
    const unknown = { nodes: [car("east", { location: "east" })], on_missing: "skip" };
    expect((await own.send("POST", "/capture/v1/nodes", unknown)).status).toBe(422);
    const wrong = await own.send("POST", "/capture/v1/nodes", { nodes: [node], on_missing: true });
    expect([wrong.status, wrong.body.errors]).toEqual([400, ['on_missing: "fail" or "skip" expected']]);
  });

  it("takes external ids of any characters", async () => {
    const ids = ["a/b", "`'\"\\", "\\u0027", "x".repeat(256), "𝄞".repeat(256), " ", "__proto__"];
    const { status, body } = await project.nodes(ids.map((id) => car(id)));
    expect(status).toBe(200);
    expect(new Set(body.results?.map((result) => result.id)).size).toBe(ids.length);
    for (const id of ids) expect((await project.node("Car", id))?.properties["external_id"]).toBe(id);
  });

  it("applies items in request order: the last one wins and all of a key carry one id", async () => {
    const { body } = await project.nodes([
      car("twice", { labels: ["Old"], ...properties(["a", 1], ["b", 1]) }),
      { ...car("twice"), type: "Truck", ...properties(["a", 9]) },
      car("twice", { labels: ["New"], properties: [{ type: "a", external_value: "r" }] }),
      car("twice", properties(["a", 3])),
    ]);
    const ids = body.results?.map((result) => result.id);
    expect(ids?.[2]).toBe(ids?.[0]);
    expect(ids?.[3]).toBe(ids?.[0]);
    expect(ids?.[1]).not.toBe(ids?.[0]);
    const stored = await project.node("Car", "twice");
    expect(stored?.properties).toMatchObject({ a: 3, b: 1 });
    expect(stored?.labels).toContain(`New__${project.pk}`);
    expect(stored?.labels).not.toContain(`Old__${project.pk}`);
  });

  it("means the same as PUT", async () => {
    const { status } = await project.send("PUT", "/capture/v1/nodes", { nodes: [car("put")] });
    expect(status).toBe(200);
    expect(await project.node("Car", "put")).toBeDefined();
  });

  it("ignores unknown fields and takes null for absent", async () => {
    const { status } = await project.nodes([
      car("loose", {
        unknown: { deep: [1] },
        labels: null,
        properties: null,
        location: null,
        is_identity: null,
      }),
    ]);
    expect(status).toBe(200);
  });
});

describe("refusals of POST /capture/v1/nodes", () => {
  beforeAll(() => {
    project = capture.project();
  });

  it.each<[string, unknown, string]>([
    ["no items", [], "nodes: 1-250 items"],
    ["251 items", Array.from({ length: 251 }, (_, i) => car(`n${i}`)), "nodes: 1-250 items"],
    ["no list", { external_id: "x" }, "nodes: array expected"],
    ["empty external_id", [car("")], "nodes[0].external_id: 1-256 characters"],
    ["long external_id", [car("x".repeat(257))], "nodes[0].external_id: 1-256 characters"],
    ["number as external_id", [{ external_id: 5, type: "Car" }], "nodes[0].external_id: string expected"],
    ["quoted type", [{ external_id: "x", type: "Ca`r" }], "nodes[0].type: 2-64 letters"],
    ["long type", [{ external_id: "x", type: "C".repeat(65) }], "nodes[0].type: 2-64 letters"],
    [
      "both values",
      [car("x", { properties: [{ type: "p", value: 1, external_value: "r" }] })],
      "nodes[0].properties[0]: exactly one of value and external_value",
    ],
    [
      "no value",
      [car("x", { properties: [{ type: "p" }] })],
      "nodes[0].properties[0]: exactly one of value and external_value",
    ],
    [
      "null value",
      [car("x", properties(["p", null]))],
      "nodes[0].properties[0]: exactly one of value and external_value",
    ],
    ["object value", [car("x", properties(["p", { a: 1 }]))], "nodes[0].properties[0].value: string, number"],
    ["nested list", [car("x", properties(["p", [[1]]]))], "nodes[0].properties[0].value: a list in a list"],
    [
      "mixed list",
      [car("x", properties(["p", [1, "1"]]))],
      "nodes[0].properties[0].value: entries of one kind",
    ],
    ["null in a list", [car("x", properties(["p", [null]]))], "nodes[0].properties[0].value: string, number"],
    [
      "integer too large",
      [car("x", properties(["p", 2 ** 53]))],
      "nodes[0].properties[0].value: integer between",
    ],
    [
      "1 MB string",
      [car("x", properties(["p", "x".repeat(1_048_576)]))],
      "nodes[0].properties[0].value: at most 65536 characters",
    ],
    ["1 MB external_id", [car("x".repeat(1_048_576))], "nodes[0].external_id: 1-256 characters"],
    ["half a surrogate pair", [car("\ud800")], "nodes[0].external_id: well-formed Unicode"],
    [
      "quoted property name",
      [car("x", properties(['a"b', 1]))],
      "nodes[0].properties[0].type: 1-128 letters",
    ],
    [
      "back-quoted property name",
      [car("x", properties(["a`b", 1]))],
      "nodes[0].properties[0].type: 1-128 letters",
    ],
    [
      "dotted property name",
      [car("x", properties(["a.b", 1]))],
      "nodes[0].properties[0].type: 1-128 letters",
    ],
    [
      "escaped property name",
      [car("x", properties(["a\\u0060", 1]))],
      "nodes[0].properties[0].type: 1-128 letters",
    ],
    [
      "property twice",
      [car("x", properties(["p", 1], ["p", 2]))],
      "nodes[0].properties[1].type: given twice",
    ],
    [
      "bad time",
      [
        car("x", {
          properties: [{ type: "p", value: 1, metadata: { verified_time: "2026-02-30T00:00:00Z" } }],
        }),
      ],
      "nodes[0].properties[0].metadata.verified_time: RFC 3339",
    ],
    [
      "assurance level 4",
      [car("x", { properties: [{ type: "p", value: 1, metadata: { assurance_level: 4 } }] })],
      "nodes[0].properties[0].metadata.assurance_level: 1, 2 or 3",
    ],
    [
      "own key in custom metadata",
      [car("x", { properties: [{ type: "p", value: 1, metadata: { custom_metadata: { source: 1 } } }] })],
      "nodes[0].properties[0].metadata.custom_metadata.source: is a field",
    ],
    [
      "object in custom metadata",
      [car("x", { properties: [{ type: "p", value: 1, metadata: { custom_metadata: { k: {} } } }] })],
      "nodes[0].properties[0].metadata.custom_metadata.k: string, number",
    ],
    [
      "33 labels",
      [car("x", { labels: Array.from({ length: 33 }, (_, i) => `L${i}x`) })],
      "nodes[0].labels: at most 32 items",
    ],
    [
      "1001 properties",
      [car("x", properties(...Array.from({ length: 1001 }, (_, i): [string, unknown] => [`p${i}`, 1])))],
      "nodes[0].properties: at most 1000 items",
    ],
  ])("400: %s", async (_, nodes, fault) => {
    const { status, body } = await project.nodes(nodes);
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual(["errors", "message"]);
    expect(body.message).toBe("Bad Request");
    expect(body.errors?.some((error) => error.startsWith(fault))).toBe(true);
  });

  it.each<[string, unknown, string]>([
    ["reserved type", [car("ok"), { external_id: "x", type: "_AppAgent" }], "nodes[1].type: "],
    ["reserved label", [car("x", { labels: ["Good", "_Node"] })], "nodes[0].labels[1]: "],
    [
      "a location without a composite database",
      [car("x", { location: "east" })],
      "nodes[0].location: unknown location",
    ],
  ])("422: %s", async (_, nodes, fault) => {
    const { status, body } = await project.nodes(nodes);
    expect(status).toBe(422);
    expect(body.message).toBe("Unprocessable Entity");
    expect(body.errors).toEqual([expect.stringContaining(fault)]);
  });

  it("names every fault of a body at once", async () => {
    const { body } = await project.nodes([
      car("ok"),
      car(""),
      { type: "Car" },
      car("x", properties(["p", {}])),
    ]);
    expect(body.errors).toEqual([
      "nodes[1].external_id: 1-256 characters",
      "nodes[2].external_id: required",
      expect.stringContaining("nodes[3].properties[0].value: "),
    ]);
  });

  it("writes nothing when one of 250 is bad, everything when none is", async () => {
    const nodes = Array.from({ length: 250 }, (_, i) => car(`b${i}`, properties(["n", i])));
    const bad = nodes.with(249, car("b249", { properties: [{ type: "n" }] }));
    expect((await project.nodes(bad)).status).toBe(400);
    expect((await project.counts()).nodes).toBe(0);
    const { status, body } = await project.nodes(nodes);
    expect(status).toBe(200);
    expect(body.results).toHaveLength(250);
    expect((await project.counts()).nodes).toBe(250);
    const again = await project.nodes(nodes);
    expect(again.body).toEqual(body);
    expect((await project.counts()).nodes).toBe(250);
  });

  it("413 for a body over 10 MiB", async () => {
    const { status } = await project.send(
      "POST",
      "/capture/v1/nodes",
      `{"nodes":["${"x".repeat(10_485_761)}"]}`,
    );
    expect(status).toBe(413);
  });

  it("400 for a body that is not a JSON object", async () => {
    for (const body of ["", "{", "[]", "null", '"x"'])
      expect((await project.send("POST", "/capture/v1/nodes", body)).status).toBe(400);
  });

  it("404 while the graph is not active, and for a project that is not known", async () => {
    expect((await capture.project("PENDING").nodes([car("x")])).status).toBe(404);
    const answer = await fetch(`${capture.url}/capture/v1/nodes`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-internal-context": await capture.contextOf({}) },
      body: JSON.stringify({ nodes: [car("x")] }),
    });
    expect(answer.status).toBe(404);
  });

  it("403 without the permission, 503 without a caller", async () => {
    const context = await capture.contextOf({ permissions: ["ContXIQ"] });
    const post = (headers: Record<string, string>) =>
      fetch(`${capture.url}/capture/v1/nodes`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ nodes: [car("x")] }),
      });
    expect((await post({ "x-internal-context": context })).status).toBe(403);
    expect((await post({})).status).toBe(503);
  });
});

describe("projects", () => {
  it("never touch each other, whatever they call their nodes", async () => {
    const [one, two] = [capture.project(), capture.project()];
    const first = await one.nodes([car("same", properties(["owner", "one"]))]);
    const second = await two.nodes([car("same", properties(["owner", "two"]))]);
    expect(first.body.results).not.toEqual(second.body.results);
    expect((await one.node("Car", "same"))?.properties["owner"]).toBe("one");
    expect((await two.node("Car", "same"))?.properties["owner"]).toBe("two");
    expect(
      (
        await two.relationships([
          {
            source: { external_id: "same", type: "Car" },
            target: { external_id: "other", type: "Car" },
            type: "NEAR",
          },
        ])
      ).status,
    ).toBe(422);
  });
});

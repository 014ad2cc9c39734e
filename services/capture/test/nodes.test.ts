import { describe, expect, it } from "@jest/globals";
import { useCars, capture, project, car, properties } from "./cars.ts";

useCars();

const gid = /^gid:[A-Za-z0-9_-]{27}$/;

describe("POST /capture/v1/nodes", () => {
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

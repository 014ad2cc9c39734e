import { describe, expect, it } from "@jest/globals";
import { useCars, capture, project, car, properties } from "./cars.ts";

useCars();

describe("refusals of POST /capture/v1/nodes", () => {
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
      headers: {
        "content-type": "application/json",
        ...(await capture.contextOf({}, "POST", "/capture/v1/nodes")),
      },
      body: JSON.stringify({ nodes: [car("x")] }),
    });
    expect(answer.status).toBe(404);
  });

  it("403 without the permission, 503 without a caller", async () => {
    const context = await capture.contextOf({ permissions: ["ContXIQ"] }, "POST", "/capture/v1/nodes");
    const post = (headers: Record<string, string>) =>
      fetch(`${capture.url}/capture/v1/nodes`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ nodes: [car("x")] }),
      });
    expect((await post(context)).status).toBe(403);
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

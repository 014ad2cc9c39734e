import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

let capture: CaptureUnderTest;
let project: TestProject;

beforeAll(async () => {
  capture = await startCapture();
  project = capture.project();
});
afterAll(() => capture.close());
beforeEach(async () => {
  await project.nodes([ref("a"), ref("b"), ref("c")]);
});
afterEach(() => capture.clear(project));

const ref = (externalId: string, type = "Person") => ({ external_id: externalId, type });
const edge = (source: string, target: string, pairs: [string, unknown][] = [], type = "KNOWS") => ({
  source: ref(source),
  target: ref(target),
  type,
  properties: pairs.map(([name, value]) => ({ type: name, value })),
});

/** Every relationship of the project, by source, target and a property. */
const stored = () =>
  capture.graph.shared.read(
    `MATCH (a:_P__${project.pk})-[r]->(b) RETURN a.external_id AS a, type(r) AS type, b.external_id AS b,
       properties(r) AS properties ORDER BY a, b, r.n, r.kind`,
    {},
    { timeoutMs: 80_000 },
  );

describe("POST /capture/v1/relationships", () => {
  it("makes one relationship per source, type and target and updates the properties named", async () => {
    const first = await project.relationships([
      edge("a", "b", [
        ["since", 2020],
        ["kind", "x"],
      ]),
    ]);
    expect(first.status).toBe(200);
    const second = await project.relationships([
      edge("a", "b", [
        ["since", 2021],
        ["note", ["n"]],
      ]),
    ]);
    expect(second.body).toEqual(first.body);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    expect(await stored()).toEqual([
      {
        a: "a",
        b: "b",
        type: "KNOWS",
        properties: {
          since: 2021,
          kind: "x",
          note: ["n"],
          _discriminator: "",
          _create_time: time,
          _update_time: time,
        },
      },
    ]);
  });

  it("tells parallel relationships apart by the discriminating property", async () => {
    const account = (value: unknown, n: number) =>
      edge("a", "b", [
        ["discriminating_property", "kind"],
        ["kind", value],
        ["n", n],
      ]);
    const batch = [account("5", 1), account(5, 2), edge("a", "b", [["n", 3]]), account("", 4)];
    const first = await project.relationships(batch);
    const again = await project.relationships(batch.map((item) => ({ ...item })));
    expect(again.body).toEqual(first.body);
    expect(new Set(first.body.results?.map((result) => result.id)).size).toBe(4);
    const rows = await stored();
    expect(rows.map((row) => row["properties"])).toMatchObject([
      { n: 1, kind: "5", discriminating_property: "kind" },
      { n: 2, kind: 5 },
      { n: 3 },
      { n: 4, kind: "" },
    ]);
  });

  it("keeps direction and type apart and joins repeated items", async () => {
    const { body } = await project.relationships([
      edge("a", "b", [["n", 1]]),
      edge("b", "a"),
      edge("a", "b", [], "LIKES"),
      edge("a", "b", [["n", 2]]),
      edge("a", "a"),
    ]);
    const ids = body.results?.map((result) => result.id);
    expect(ids?.[3]).toBe(ids?.[0]);
    expect(new Set(ids).size).toBe(4);
    expect((await project.counts()).relationships).toBe(4);
    expect(await stored()).toContainEqual(
      expect.objectContaining({
        type: "KNOWS",
        a: "a",
        b: "b",
        properties: expect.objectContaining({ n: 2 }),
      }),
    );
  });

  it("lets no property name hide a field of the relationship", async () => {
    const names = ["__proto__", "constructor", "_create_time", "_discriminator", "id", "type"];
    const { status } = await project.relationships([
      edge(
        "a",
        "b",
        names.map((name): [string, unknown] => [name, "mine"]),
      ),
    ]);
    expect(status).toBe(200);
    const [row] = await stored();
    expect(row?.["properties"]).toMatchObject({
      _discriminator: "",
      "_p._discriminator": "mine",
      "_p._create_time": "mine",
      "_p.__proto__": "mine",
      constructor: "mine",
      id: "mine",
      type: "mine",
    });
  });

  it("422 names index and end of what does not exist, and nothing is written", async () => {
    const { status, body } = await project.relationships([
      edge("a", "b"),
      edge("a", "nobody"),
      edge("none", "nobody", [], "LIKES"),
    ]);
    expect(status).toBe(422);
    expect(body).toEqual({
      message: "Unprocessable Entity",
      errors: [
        "relationships[1].target: node does not exist",
        "relationships[2].source: node does not exist",
        "relationships[2].target: node does not exist",
        'on_missing: "skip" writes the rest and lists what was skipped',
      ],
    });
    expect(await project.counts()).toEqual({ nodes: 3, relationships: 0 });
  });

  it("names the way out, however many ends are missing", async () => {
    const batch = Array.from({ length: 60 }, (_, at) => edge("a", `gone-${at}`));
    const { status, body } = await project.relationships(batch, { on_missing: "fail" });
    expect([status, body.errors?.length]).toEqual([422, 50]);
    expect(body.errors?.[0]).toBe("relationships[0].target: node does not exist");
    expect(body.errors?.[49]).toMatch(/^on_missing: "skip" /);
  });

  it("skip leaves out what lacks an end and says which; the rest is written", async () => {
    const batch = [
      edge("a", "gone"),
      edge("a", "b", [["n", 1]]),
      edge("none", "nobody", [], "LIKES"),
      edge("a", "gone", [["n", 2]]),
      edge("b", "c"),
      edge("none", "c", [], "LIKES"),
    ];
    const { status, body } = await project.relationships(batch, { on_missing: "skip" });
    expect(status).toBe(200);
    expect(body.skipped).toEqual([
      { index: 0, reason: "target: node does not exist" },
      { index: 2, reason: "source: node does not exist; target: node does not exist" },
      { index: 3, reason: "target: node does not exist" },
      { index: 5, reason: "source: node does not exist" },
    ]);
    expect(body.results?.map(({ id }) => id !== "")).toEqual([false, true, false, false, true, false]);
    expect((await stored()).map(({ a, type, b }) => [a, type, b])).toEqual([
      ["a", "KNOWS", "b"],
      ["b", "KNOWS", "c"],
    ]);
    expect(await project.counts()).toEqual({ nodes: 3, relationships: 2 });
    // What was missing is there now.
    await project.nodes([ref("gone"), ref("none"), ref("nobody")]);
    const again = await project.relationships(batch, { on_missing: "skip" });
    expect(again.body.skipped).toEqual([]);
    expect(again.body.results?.[1]).toEqual(body.results?.[1]);
    expect((await project.counts()).relationships).toBe(5);
  });

  it("skip of a whole batch writes nothing and is no error", async () => {
    const { status, body } = await project.relationships([edge("a", "gone")], { on_missing: "skip" });
    expect([status, body]).toEqual([
      200,
      { results: [{ id: "" }], skipped: [{ index: 0, reason: "target: node does not exist" }] },
    ]);
    expect((await project.counts()).relationships).toBe(0);
  });

  it("skip finds what others write in the same moment, or says that it was not there", async () => {
    const rounds = Array.from({ length: isLongRun() ? 20 : 8 }, async (_, at) => {
      const [, { status, body }] = await Promise.all([
        project.nodes([ref(`late-${at}`)]),
        project.relationships([edge("a", `late-${at}`), edge("a", "b")], { on_missing: "skip" }),
      ]);
      expect([status, body.results?.[1]?.id === ""]).toEqual([200, false]);
      return body.skipped?.length === 0;
    });
    const written = (await Promise.all(rounds)).filter(Boolean).length;
    expect((await project.counts()).relationships).toBe(written + 1);
  });

  it("skip excuses missing ends and nothing else", async () => {
    const skip = { on_missing: "skip" };
    for (const relationship of [
      { ...edge("a", "b"), type: "_HAS" },
      { ...edge("a", "b"), target: { ...ref("b"), location: "east" } },
    ])
      expect((await project.relationships([relationship, edge("a", "b")], skip)).status).toBe(422);
    const { status, body } = await project.relationships([edge("a", "b")], { on_missing: "stub" });
    expect([status, body.errors]).toEqual([400, ['on_missing: "fail" or "skip" expected']]);
    expect((await project.counts()).relationships).toBe(0);
    expect((await project.relationships([edge("a", "b")], { on_missing: null })).body).toEqual({
      results: [{ id: expect.any(String) }],
    });
  });

  it("422 for reserved types, locations and use_global_db, all together", async () => {
    const { status, body } = await project.relationships(
      [
        { ...edge("a", "b"), type: "_HAS" },
        { ...edge("a", "b"), source: ref("x", "_Application") },
        { ...edge("a", "b"), target: { ...ref("b"), location: "east" } },
      ],
      { use_global_db: true },
    );
    expect(status).toBe(422);
    expect(body.errors?.map((error) => error.split(":")[0])).toEqual([
      "use_global_db",
      "relationships[0].type",
      "relationships[1].source.type",
      "relationships[2].target.location",
    ]);
    expect((await project.relationships([edge("a", "b")], { use_global_db: false })).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ["no target", { source: ref("a"), type: "KNOWS" }, "relationships[0].target: required"],
    ["lower-case type", { ...edge("a", "b"), type: "knows" }, "relationships[0].type: 1-128 upper-case"],
    ["quoted type", { ...edge("a", "b"), type: "KNOWS`]->()" }, "relationships[0].type: 1-128 upper-case"],
    [
      "bad ref",
      { ...edge("a", "b"), source: { external_id: "", type: "Person" } },
      "relationships[0].source.external_id: 1-256",
    ],
    [
      "external_value",
      { ...edge("a", "b"), properties: [{ type: "p", value: 1, external_value: "r" }] },
      "relationships[0].properties[0].external_value: ",
    ],
    [
      "metadata",
      { ...edge("a", "b"), properties: [{ type: "p", value: 1, metadata: {} }] },
      "relationships[0].properties[0].metadata: ",
    ],
    ["null value", edge("a", "b", [["p", null]]), "relationships[0].properties[0].value: "],
    [
      "property twice",
      edge("a", "b", [
        ["p", 1],
        ["p", 2],
      ]),
      "relationships[0].properties[1].type: given twice",
    ],
    [
      "discriminator without its property",
      edge("a", "b", [["discriminating_property", "x"]]),
      "relationships[0].properties[0].value: ",
    ],
    [
      "discriminator that names itself",
      edge("a", "b", [["discriminating_property", "discriminating_property"]]),
      "relationships[0].properties[0].value: ",
    ],
  ])("400: %s", async (_, relationship, fault) => {
    const { status, body } = await project.relationships([relationship]);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.stringContaining(fault)]);
  });

  it("400 for 0 and 251 items, 200 for 250", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => edge("a", "b", [], `T_${i % 5}`));
    expect((await project.relationships([])).status).toBe(400);
    expect((await project.relationships(many(251))).status).toBe(400);
    expect((await project.relationships(many(250))).status).toBe(200);
    expect((await project.counts()).relationships).toBe(5);
  });
});

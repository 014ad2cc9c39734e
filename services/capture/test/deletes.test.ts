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
afterEach(() => capture.clear(project));

const ref = (externalId: string, type = "Person") => ({ external_id: externalId, type });
const ids = async (answer: ReturnType<TestProject["send"]>): Promise<string[]> => {
  const { status, body } = await answer;
  expect([status, body.errors]).toEqual([200, undefined]);
  return (body.results ?? []).map(({ id }) => id);
};
const nodes = (path: string, items: unknown) =>
  project.send("POST", `/capture/v1/nodes${path}`, { nodes: items });
const relationships = (path: string, items: unknown) =>
  project.send("POST", `/capture/v1/relationships${path}`, { relationships: items });
const knows = (source: string, target: string, properties: [string, unknown][] = []) => ({
  source: ref(source),
  target: ref(target),
  type: "KNOWS",
  properties: properties.map(([type, value]) => ({ type, value })),
});
const read = (text: string) => capture.graph.shared.read(text, {}, { timeoutMs: 80_000 });

describe("POST /capture/v1/nodes/delete", () => {
  it("removes nodes with their relationships and trust scores, and says which they were", async () => {
    const made = await ids(nodes("", [ref("a"), ref("b"), ref("c")]));
    await relationships("", [knows("a", "b"), knows("b", "c")]);
    await capture.graph.shared.write(
      (tx) =>
        tx.run(
          `MATCH (n:_Node {_key: '${project.pk}/Person/b'}) CREATE (n)-[:_HAS]->(:_Node:_P__${project.pk}:_TrustScore__${project.pk} {_key: '${project.pk}/_TrustScore/b', id: randomUUID()})`,
          {},
        ),
      { timeoutMs: 80_000 },
    );
    expect(await project.counts()).toEqual({ nodes: 4, relationships: 3 });
    expect(await ids(nodes("/delete", [ref("b"), ref("gone"), ref("b")]))).toEqual([made[1], "", made[1]]);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 0 });
    expect(await ids(nodes("/delete", [ref("b")]))).toEqual([""]);
    // Made again it is another node.
    expect(await ids(nodes("", [ref("b")]))).not.toEqual([made[1]]);
  });

  it("touches no other project, and only the type that is named", async () => {
    const other = capture.project();
    await other.nodes([ref("a")]);
    await nodes("", [ref("a"), ref("a", "Car")]);
    await nodes("/delete", [ref("a")]);
    expect(await project.counts()).toEqual({ nodes: 1, relationships: 0 });
    expect(await other.counts()).toEqual({ nodes: 1, relationships: 0 });
  });

  it("refuses reserved types and unknown locations, and removes nothing", async () => {
    await nodes("", [ref("a")]);
    const { status, body } = await nodes("/delete", [
      ref("a"),
      ref("x", "_Application"),
      { ...ref("a"), location: "mars" },
    ]);
    expect([status, body.errors]).toEqual([
      422,
      [
        "nodes[1].type: types that begin with an underscore are reserved",
        "nodes[2].location: unknown location",
      ],
    ]);
    expect(await project.counts()).toEqual({ nodes: 1, relationships: 0 });
  });

  it.each([
    ["no list", undefined],
    ["nothing", []],
    ["more than 250", Array.from({ length: 251 }, (_, i) => ref(String(i)))],
    ["no type", [{ external_id: "a" }]],
    ["a number for an id", [{ external_id: 1, type: "Person" }]],
  ])("answers 400 for %s", async (_what, items) => {
    expect((await nodes("/delete", items)).status).toBe(400);
  });
});

const rich = {
  ...ref("a"),
  properties: [
    {
      type: "name",
      value: "Ann",
      metadata: {
        source: "hr",
        assurance_level: 2,
        verified_time: "2026-01-01T00:00:00Z",
        custom_metadata: { desk: 1, source_file: "x" },
      },
    },
    { type: "name_2", value: "Anna" },
    { type: "id", value: "user's own" },
    { type: "photo", external_value: "resolver" },
  ],
};
const ours = new Set(["_key", "id", "type", "external_id", "create_time", "update_time", "is_identity"]);
const propertiesOf = async (): Promise<Record<string, unknown>> => {
  const node = await project.node("Person", "a");
  const fields = Object.entries(node?.properties ?? {});
  return Object.fromEntries(fields.filter(([key]) => !ours.has(key) && !key.endsWith(".update_time")));
};

describe("POST /capture/v1/nodes/properties/delete", () => {
  it("removes value, reference and metadata of the names, and nothing of names that are longer", async () => {
    const [id] = await ids(nodes("", [rich]));
    const answered = await ids(
      nodes("/properties/delete", [
        { ...ref("a"), property_types: ["name", "photo", "unknown"] },
        { ...ref("gone"), property_types: ["name"] },
        { ...ref("a"), property_types: ["id"] },
      ]),
    );
    expect(answered).toEqual([id, "", id]);
    expect(await propertiesOf()).toEqual({ name_2: "Anna" });
    expect((await project.node("Person", "a"))?.properties).toMatchObject({ id, external_id: "a" });
  });

  it("cannot name a field of the platform's own", async () => {
    await nodes("", [rich]);
    const before = await project.node("Person", "a");
    await nodes("/properties/delete", [
      { ...ref("a"), property_types: ["_key", "external_id", "type", "is_identity", "create_time"] },
    ]);
    const after = await project.node("Person", "a");
    expect({ ...after?.properties, update_time: 0 }).toEqual({ ...before?.properties, update_time: 0 });
  });

  it.each([
    ["no names", []],
    ["251 names", Array.from({ length: 251 }, (_, i) => `p${i}`)],
    ["a name that is none", ["a.b"]],
    ["a text", "name"],
  ])("answers 400 for %s", async (_what, property_types) => {
    expect((await nodes("/properties/delete", [{ ...ref("a"), property_types }])).status).toBe(400);
  });
});

describe("POST /capture/v1/nodes/properties/metadata/delete", () => {
  const remaining = async (metadata_fields: readonly string[]): Promise<string[]> => {
    await nodes("", [rich]);
    await ids(
      nodes("/properties/metadata/delete", [{ ...ref("a"), property_type: "name", metadata_fields }]),
    );
    return Object.keys(await propertiesOf())
      .filter((key) => key.startsWith("name.metadata."))
      .map((key) => key.slice("name.metadata.".length))
      .sort();
  };
  const all = ["assurance_level", "desk", "source", "source_file", "verified_time"];

  type Case = readonly [fields: readonly string[], left: readonly string[]];
  const cases: readonly Case[] = [
    [
      ["desk", "verified_time", "unknown"],
      ["assurance_level", "source", "source_file"],
    ],
    [["custom_metadata"], ["assurance_level", "source", "verified_time"]],
  ];
  const more: readonly Case[] = [
    [["source"], all.filter((key) => key !== "source")],
    [["custom_metadata", "source", "assurance_level", "verified_time"], []],
  ];

  it.each(isLongRun() ? [...cases, ...more] : cases)("%j leaves %j", async (fields, left) => {
    expect(await remaining(fields)).toEqual(left);
    expect((await project.node("Person", "a"))?.properties).toMatchObject({ name: "Ann", name_2: "Anna" });
  });
});

describe("PUT /capture/v1/nodes/{id}", () => {
  const put = (id: string, body: unknown) =>
    project.send("PUT", `/capture/v1/nodes/${encodeURIComponent(id)}`, body);

  it("updates by gid, and creates or updates by name", async () => {
    const [id = ""] = await ids(nodes("", [rich]));
    const byGid = await put(id, { properties: [{ type: "name", value: "Anne" }] });
    expect([byGid.status, byGid.body]).toEqual([200, { id, results: [{ id }] }]);
    const byName = await put("Person:a", { is_identity: true, labels: ["Staff"] });
    expect(byName.body).toEqual({ id, results: [{ id }] });
    expect(await project.node("Person", "a")).toMatchObject({
      labels: expect.arrayContaining([`Staff__${project.pk}`]),
      properties: { name: "Anne", name_2: "Anna", is_identity: true },
    });
    const made = await put("Car:b/1:2", { properties: [{ type: "price", value: 3 }] });
    expect(made.status).toBe(200);
    expect((await project.node("Car", "b/1:2"))?.properties).toMatchObject({ price: 3 });
  });

  it("answers 404 for a gid that this project does not have, and for what is no name", async () => {
    const other = capture.project();
    const { body } = await other.nodes([ref("a")]);
    for (const id of [body.results?.[0]?.id ?? "", "gid:AAAABQGiAS1_p3UPiXmbw7TclMI", "nothing"])
      expect([id, (await put(id, {})).status]).toEqual([id, 404]);
    expect(await project.counts()).toEqual({ nodes: 0, relationships: 0 });
  });

  it("refuses system types, by name and by gid, and names that are none", async () => {
    await capture.graph.shared.write(
      (tx) =>
        tx.run(
          `CREATE (:_Node:_P__${project.pk} {_key: '${project.pk}/_Application/x', id: 'gid:AAAABQGiAS1_p3UPiXmbw7TclMI', type: '_Application', external_id: 'x'})`,
          {},
        ),
      { timeoutMs: 80_000 },
    );
    expect((await put("_Application:x", {})).status).toBe(422);
    expect([422, 404]).toContain((await put("gid:AAAABQGiAS1_p3UPiXmbw7TclMI", {})).status);
    expect((await put("9:x", {})).status).toBe(400);
    expect((await put("Car:", {})).status).toBe(400);
  });
});

describe("POST /capture/v1/relationships/delete", () => {
  const parallel = (kind: string) =>
    knows("a", "b", [
      ["discriminating_property", "kind"],
      ["kind", kind],
      ["since", 2020],
    ]);
  beforeEach(async () => {
    await nodes("", [ref("a"), ref("b")]);
  });
  const kinds = async () =>
    (await read(`MATCH (:_P__${project.pk})-[r]->() RETURN r.kind AS kind ORDER BY kind`)).map(
      (row) => row["kind"],
    );

  it("removes all parallel ones of a triple, and the nodes stay", async () => {
    const [x] = await ids(relationships("", [parallel("x"), parallel("y")]));
    const answered = await ids(
      relationships("/delete", [knows("a", "b"), knows("b", "a"), knows("a", "gone")]),
    );
    expect(answered).toEqual([x, "", ""]);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 0 });
    expect(await ids(relationships("/delete", [knows("a", "b")]))).toEqual([""]);
  });

  it("removes the one that the discriminating property names", async () => {
    const [, y] = await ids(relationships("", [parallel("x"), parallel("y"), parallel("z")]));
    expect(await ids(relationships("/delete", [parallel("y"), parallel("other")]))).toEqual([y, ""]);
    expect(await kinds()).toEqual(["x", "z"]);
  });

  it("ignores other properties, and refuses a discriminator without a value", async () => {
    const [plain] = await ids(relationships("", [knows("a", "b", [["since", 1]])]));
    expect(await ids(relationships("/delete", [knows("a", "b", [["since", 2]])]))).toEqual([plain]);
    const { status } = await relationships("/delete", [
      knows("a", "b", [["discriminating_property", "kind"]]),
    ]);
    expect(status).toBe(400);
  });

  it("refuses reserved types and a global database that is not there", async () => {
    const answer = await project.send("POST", "/capture/v1/relationships/delete", {
      relationships: [{ ...knows("a", "b"), type: "_HAS" }],
      use_global_db: true,
    });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [
        "use_global_db: the project has no composite database",
        "relationships[0].type: types that begin with an underscore are reserved",
      ],
    ]);
  });

  it("removes properties, and what tells parallel ones apart stays", async () => {
    const [x, y] = await ids(relationships("", [parallel("x"), parallel("y")]));
    const answered = await ids(
      relationships("/properties/delete", [
        { ...parallel("y"), property_types: ["since", "kind", "unknown"] },
        { ...knows("a", "gone"), property_types: ["since"] },
      ]),
    );
    expect(answered).toEqual([y, ""]);
    const stored = await read(
      `MATCH (:_P__${project.pk})-[r]->() RETURN r.kind AS kind, r.since AS since ORDER BY kind`,
    );
    expect(stored).toEqual([
      { kind: "x", since: 2020 },
      { kind: null, since: null },
    ]);
    // Written once more it is still the same relationship.
    expect(await ids(relationships("", [parallel("y")]))).toEqual([y]);
    expect(await ids(relationships("/delete", [parallel("x")]))).toEqual([x]);
  });

  it("cannot remove what the platform keeps", async () => {
    await relationships("", [parallel("x")]);
    await ids(
      relationships("/properties/delete", [
        { ...knows("a", "b"), property_types: ["_discriminator", "_create_time"] },
      ]),
    );
    const [row] = await read(`MATCH (:_P__${project.pk})-[r]->() RETURN properties(r) AS p`);
    expect(row?.["p"]).toMatchObject({ _discriminator: '"x"', _create_time: expect.any(String) });
  });
});

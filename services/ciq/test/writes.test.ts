import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { type Json, openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";

const old = "2020-01-01T00:00:00.000Z";

const seed: Seed = {
  nodes: {
    "Nurse/n1": { name: "Ada", assigned: ["c1", "c2"], update_time: old },
    "Nurse/n2": { name: "Bo", update_time: old },
    "Ward/w1": { name: "East", update_time: old },
    "Chart/c1": {
      title: "One",
      state: "open",
      "state.metadata.source": "old",
      "state.metadata.note": "kept",
      "state.update_time": old,
      "scan.external_value": "resolver",
      draft: "d1",
      "draft.metadata.source": "x",
      _key_extra: "ours",
      update_time: old,
      create_time: old,
    },
    "Chart/c2": { title: "Two", draft: "d2", update_time: old, create_time: old },
    "Chart/c3": { title: "Three", update_time: old, create_time: old },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n2", "ON", "Ward/w1"],
    ["Ward/w1", "HOLDS", "Chart/c1", { since: 2020, note: "n", _create_time: old, _update_time: old }],
    ["Ward/w1", "HOLDS", "Chart/c2", { since: 2021 }],
    ["Ward/w1", "HOLDS", "Chart/c3", { since: 2022 }],
  ],
};

let graph: Graph;
let here: TestProject;
let there: TestProject;
let untouched = "";

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  // The other tenant has the same data; nothing of it may ever change.
  there = await openProject(graph, seed);
  untouched = await there.picture();
});

// One key for all tests, so that the database plans each statement once.
const pk = newProjectKey(randomBytes(8));

beforeEach(async () => {
  here = await openProject(graph, seed, pk);
});

afterEach(async () => {
  if ((await there.picture()) !== untouched) throw new Error("the other tenant's graph has changed");
  await here.drop();
});

afterAll(async () => {
  await there.drop();
  await graph.close();
});

const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const lists = {
  allowed_reads: { nodes: ["chart.*", "w.property.name"], relationships: ["h"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart", "w"], node_types: ["Note", "Chart"] },
    relationships: {
      relationship_types: [
        { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: {
    nodes: ["chart", "chart.*", "chart.property.draft"],
    relationships: ["h", "h.*", "h.note"],
  },
};
const nurse = (condition: Json = {}, changes: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  ...lists,
  ...changes,
});

const only = (id: string) => ({ attribute: "chart.external_id", operator: "=", value: id });

const example = {
  policy: {
    subject: { type: "Nurse" },
    condition: {
      cypher,
      filter: [
        { attribute: "subject.external_id", operator: "=", value: "$token.sub" },
        { attribute: "chart.external_id", operator: "IN", value: "@subject.property.assigned" },
      ],
      token_filter: {
        attribute: "$token.auth_age",
        operator: "<=",
        value: 600,
        advice: { error: "insufficient_user_authentication", error_description: "sign in again" },
      },
    },
    allowed_reads: { nodes: ["chart.*", "w.property.name", "chart.trust_score.*"], relationships: ["h"] },
    allowed_upserts: {
      nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
      relationships: lists.allowed_upserts.relationships,
    },
    allowed_deletes: { nodes: ["chart.property.draft"] },
  },
  query: {
    filter: { attribute: "chart.external_id", operator: "=", value: "$chart" },
    upsert_nodes: [
      {
        name: "chart",
        properties: [
          {
            type: "state",
            value: "signed",
            metadata: [
              { type: "source", value: "$token.iss" },
              { type: "assurance_level", value: 2 },
            ],
          },
        ],
      },
      {
        name: "note",
        type: "Note",
        external_id: "$note_id",
        properties: [{ type: "text", value: "$text" }],
      },
    ],
    upsert_relationships: [
      {
        name: "sig",
        source: "subject",
        target: "chart",
        type: "SIGNED",
        properties: [{ type: "shift", value: "$shift" }],
      },
      { name: "ab", source: "note", target: "chart", type: "ABOUT" },
    ],
    delete_nodes: ["chart.property.draft"],
    nodes: ["chart.property.state", "chart.property.state.metadata.source", "note.external_id"],
    relationships: ["sig.shift"],
  },
  params: { chart: "c1", note_id: "n-9", text: "looks well", shift: "night" },
};

/** What tells a whole relationship of a row from any other. */
const elementId = (row: { readonly relationships?: Json | undefined }, name: string): unknown =>
  (row.relationships?.[name] as Json | undefined)?.["ElementId"];

describe("an example of every kind of write", () => {
  it("answers and writes what it asks for", async () => {
    const rows = await here.execute(example.policy, example.query, { params: example.params });
    expect(rows).toEqual([
      {
        nodes: {
          "chart.property.state": "signed",
          "chart.property.state.metadata.source": "https://idp.example",
          "note.external_id": "n-9",
        },
        relationships: { "sig.shift": "night" },
      },
    ]);
    const chart = await here.node("Chart/c1");
    expect(chart?.fields).toMatchObject({
      state: "signed",
      "state.metadata.source": "https://idp.example",
      "state.metadata.assurance_level": 2,
      "state.metadata.note": "kept",
      title: "One",
    });
    expect(chart?.fields).not.toHaveProperty("draft");
    expect(await here.node("Note/n-9")).toMatchObject({ fields: { text: "looks well" } });
    expect(await here.edges("Nurse/n1", "SIGNED", "Chart/c1")).toHaveLength(1);
    expect(await here.edges("Note/n-9", "ABOUT", "Chart/c1")).toHaveLength(1);
  });

  it("needs the parameters that it names", async () => {
    const refused = await here.refusal(example.policy, example.query);
    expect(refused.status).toBe(422);
    expect(refused.errors.toSorted()).toEqual(
      ["chart", "note_id", "shift", "text"].map((name) => `missing or wrong input params, '${name}'`),
    );
  });
});

describe("upserts of existing nodes (9.5)", () => {
  const state = { type: "state", value: "signed" };
  const set = (...properties: Json[]): Json => ({
    filter: only("c1"),
    upsert_nodes: [{ name: "chart", properties }],
  });

  it("set listed properties, keep the rest, bump times also for an equal value", async () => {
    await here.execute(nurse(), set({ type: "state", value: "open" }));
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ state: "open", title: "One", create_time: old });
    expect(fields["update_time"]).not.toBe(old);
    expect(fields["state.update_time"]).toBe(fields["update_time"]);
  });

  it("change the kind of a value", async () => {
    await here.execute(nurse(), set({ type: "state", value: [1, 2.5] }));
    expect((await here.node("Chart/c1"))?.fields["state"]).toEqual([1, 2.5]);
  });

  it("let a value drop the external reference and the reverse, without a call to the resolver", async () => {
    const query = {
      ...set({ type: "scan", value: 5 }, { type: "title", external_value: "$resolver" }),
      nodes: ["chart.property.scan"],
    };
    const rows = await here.execute(nurse(), query, { params: { resolver: "records" } });
    expect(rows).toEqual([{ nodes: { "chart.property.scan": 5 } }]);
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ scan: 5, "title.external_value": "records" });
    expect(fields).not.toHaveProperty("title");
    expect(fields["scan.external_value"]).toBeUndefined();
  });

  it("merge metadata by key, and leave it alone without an entry", async () => {
    await here.execute(nurse(), set(state));
    expect((await here.node("Chart/c1"))?.fields).toMatchObject({
      "state.metadata.source": "old",
      "state.metadata.note": "kept",
    });
    const verified = { type: "verified_time", value: "2026-01-01T01:00:00+01:00" };
    const custom = { type: "source", value: "$src" };
    await here.execute(nurse(), set({ ...state, metadata: [verified, custom] }), { params: { src: "new" } });
    expect((await here.node("Chart/c1"))?.fields).toMatchObject({
      "state.metadata.source": "new",
      "state.metadata.note": "kept",
      "state.metadata.verified_time": "2026-01-01T00:00:00.000Z",
    });
  });

  it("write a node once that stands in several rows", async () => {
    const query = {
      upsert_nodes: [{ name: "w", properties: [{ type: "name", value: "North" }] }],
      nodes: ["w.property.name"],
    };
    expect(await here.execute(nurse(), query)).toHaveLength(3);
    expect((await here.node("Ward/w1"))?.fields["name"]).toBe("North");
  });

  it("write nothing for a row in which the alias is null", async () => {
    const condition = { cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:SIGNED]->(chart:Chart)" };
    const policy = nurse(condition, {
      allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
      allowed_deletes: { nodes: ["chart"] },
      allowed_reads: undefined,
    });
    const query = {
      upsert_nodes: [{ name: "chart", properties: [state] }],
      nodes: ["chart.property.state", "chart.external_id"],
    };
    expect(await here.execute(policy, query)).toEqual([
      { nodes: { "chart.property.state": null, "chart.external_id": null } },
    ]);
  });

  it.each([
    [{ type: "state", value: "$v" }, { v: ["a", 1] }, "missing or wrong input params, 'v'"],
    [{ type: "state", value: "$v" }, { v: null }, "missing or wrong input params, 'v'"],
    [{ type: "state", external_value: "$v" }, { v: 1 }, "missing or wrong input params, 'v'"],
    [
      { type: "state", value: "x", metadata: [{ type: "verified_time", value: "$v" }] },
      { v: "2026-02-30T00:00:00Z" },
      "missing or wrong input params, 'v'",
    ],
    [
      { type: "state", value: "x", metadata: [{ type: "assurance_level", value: "$v" }] },
      { v: "2" },
      "missing or wrong input params, 'v'",
    ],
    [
      { type: "state", value: "$token.nothing" },
      {},
      "query.upsert_nodes[0].properties[0].value: $token.nothing is absent",
    ],
    [
      { type: "state", value: "$token.act" },
      {},
      "query.upsert_nodes[0].properties[0].value: $token.act cannot be used: string, number, boolean or a list of those expected",
    ],
  ])("refuse %j with %j", async (entry, params, text) => {
    const before = await here.picture();
    const token = { sub: "n1", act: { sub: "x" } };
    const refused = await here.refusal(nurse(), set(entry), { params, token });
    expect([refused.status, refused.errors]).toEqual([422, [text]]);
    expect(await here.picture()).toBe(before);
  });
});

describe("upserts of new nodes and relationships (9.6)", () => {
  const note = { name: "note", type: "Note", external_id: "$id", properties: [{ type: "text", value: "t" }] };
  const about = { name: "ab", source: "note", target: "chart", type: "ABOUT" };

  it("store a node exactly as capture does", async () => {
    const labels = ["Red", "DigitalTwin", "Identity"];
    await here.execute(nurse(), { upsert_nodes: [{ ...note, labels }] }, { params: { id: "x" } });
    const { labels: stored, fields = {} } = (await here.node("Note/x")) ?? {};
    expect(stored).toEqual(["_Node", `_P__${here.pk}`, `Note__${here.pk}`, `Red__${here.pk}`].toSorted());
    const { id, create_time: created, update_time: updated } = fields;
    expect(id).toMatch(/^gid:/);
    expect(fields).toEqual({
      _key: `${here.pk}/Note/x`,
      external_id: "x",
      type: "Note",
      id,
      is_identity: true,
      create_time: created,
      update_time: updated,
      text: "t",
      "text.update_time": updated,
    });
    expect(created).toBe(updated);
  });

  it("update a node that exists, without removing labels or identity", async () => {
    const labels = ["Red", "Identity"];
    await here.execute(nurse(), { upsert_nodes: [{ ...note, labels }] }, { params: { id: "x" } });
    const before = await here.node("Note/x");
    await here.execute(nurse(), { upsert_nodes: [note] }, { params: { id: "x" } });
    const after = await here.node("Note/x");
    expect(after?.labels).toEqual(before?.labels);
    expect(after?.fields["is_identity"]).toBe(true);
    expect(after?.fields["id"]).toBe(before?.fields["id"]);
    expect(after?.fields["create_time"]).toBe(before?.fields["create_time"]);
  });

  it("overwrite listed properties of any node of an allowed type", async () => {
    const chart = {
      name: "c",
      type: "Chart",
      external_id: "c2",
      properties: [{ type: "title", value: "New" }],
    };
    await here.execute(nurse(), { upsert_nodes: [chart], filter: only("c1") });
    expect((await here.node("Chart/c2"))?.fields).toMatchObject({ title: "New", draft: "d2" });
  });

  it("make one node for three rows, and its relationship for each (check 9)", async () => {
    const query = {
      upsert_nodes: [note],
      upsert_relationships: [about],
      nodes: ["note", "note.property.text", "chart.external_id"],
      relationships: ["ab", "ab.type"],
    };
    const rows = await here.execute(nurse(), query, { params: { id: "x" } });
    expect(rows.map(({ nodes }) => nodes["chart.external_id"])).toEqual(["c1", "c2", "c3"]);
    const first = rows[0]?.nodes["note"];
    expect(first).toMatchObject({ Labels: ["Note"], Props: { external_id: "x", type: "Note" } });
    expect(rows.every(({ nodes }) => JSON.stringify(nodes["note"]) === JSON.stringify(first))).toBe(true);
    expect(rows.map((row) => row.relationships?.["ab.type"])).toEqual(["ABOUT", "ABOUT", "ABOUT"]);
    expect(new Set(rows.map((row) => elementId(row, "ab"))).size).toBe(3);
    const picture = await here.picture();
    // The second run is identical.
    const again = await here.execute(nurse(), query, { params: { id: "x" } });
    expect(again.map((row) => elementId(row, "ab"))).toEqual(rows.map((row) => elementId(row, "ab")));
    expect(await here.picture()).toBe(picture);
  });

  it("create nothing when nothing matches", async () => {
    const before = await here.picture();
    expect(
      await here.execute(nurse(), { upsert_nodes: [note], filter: only("c9") }, { params: { id: "x" } }),
    ).toEqual([]);
    expect(await here.picture()).toBe(before);
  });

  it("create from a condition that binds only the subject", async () => {
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse)" },
      {
        allowed_reads: undefined,
        allowed_deletes: undefined,
        allowed_upserts: { nodes: { node_types: ["Note"] } },
      },
    );
    const query = { upsert_nodes: [note], nodes: ["note.external_id", "note.type", "note.property.text"] };
    expect(await here.execute(policy, query, { params: { id: "x" } })).toEqual([
      { nodes: { "note.external_id": "x", "note.type": "Note", "note.property.text": "t" } },
    ]);
  });

  it("reuse a relationship of the same ends, and overwrite its properties", async () => {
    const signed = (shift: string, more: Json[] = []): Json => ({
      filter: only("c1"),
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [{ type: "shift", value: shift }, ...more],
        },
      ],
    });
    await here.execute(nurse(), signed("night", [{ type: "room", value: 4 }]));
    await here.execute(nurse(), signed("day"));
    const [edge, ...more] = await here.edges("Nurse/n1", "SIGNED", "Chart/c1");
    expect(more).toEqual([]);
    const { _create_time: created, _update_time: updated } = edge ?? {};
    expect(edge).toEqual({
      shift: "day",
      room: 4,
      _discriminator: "",
      _create_time: created,
      _update_time: updated,
    });
    expect(String(created) < String(updated)).toBe(true);
  });

  it("keep parallel relationships apart by the discriminating property", async () => {
    const signed: Json = {
      filter: only("c1"),
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [
            { type: "discriminating_property", value: "day" },
            { type: "day", value: "$day" },
          ],
        },
      ],
      relationships: ["s.day"],
    };
    for (const day of ["mon", "tue", "mon", 5, "5"]) {
      expect(await here.execute(nurse(), signed, { params: { day } })).toEqual([
        { nodes: {}, relationships: { "s.day": day } },
      ]);
    }
    const edges = await here.edges("Nurse/n1", "SIGNED", "Chart/c1");
    expect(edges.map((edge) => edge["_discriminator"])).toEqual(['"5"', '"mon"', '"tue"', "5"]);
  });

  it("refuse to move a relationship onto a parallel one", async () => {
    await here.run(
      `MATCH (:_Node {_key: $w})-[h:HOLDS]->(:_Node {_key: $c}) SET h.discriminating_property = 'since', h._discriminator = '2020'`,
      { w: `${here.pk}/Ward/w1`, c: `${here.pk}/Chart/c1` },
    );
    const set = (since: number): Json => ({
      filter: only("c1"),
      upsert_relationships: [{ name: "h", properties: [{ type: "since", value: since }] }],
    });
    const refused = await here.refusal(nurse(), set(2021));
    expect(refused.errors).toEqual([
      "query.upsert_relationships: the property that distinguishes parallel relationships cannot be changed",
    ]);
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]?.["since"]).toBe(2020);
    expect(await here.execute(nurse(), set(2020))).toEqual([{ nodes: {} }]);
  });

  it("skip a relationship in the rows whose end is null, and make the others", async () => {
    await here.run("MATCH (a:_Node {_key: $a}) MATCH (b:_Node {_key: $b}) CREATE (a)-[:READ]->(b)", {
      a: `${here.pk}/Nurse/n1`,
      b: `${here.pk}/Chart/c2`,
    });
    const condition = {
      cypher:
        "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(c:Chart) OPTIONAL MATCH (c)<-[:READ]-(reader:Nurse)",
    };
    const policy = nurse(condition, {
      allowed_reads: { nodes: ["c"] },
      allowed_deletes: undefined,
      allowed_upserts: {
        relationships: {
          relationship_types: [{ type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" }],
        },
      },
    });
    const query = {
      upsert_relationships: [{ name: "s", source: "reader", target: "c", type: "SIGNED" }],
      nodes: ["c.external_id", "reader.external_id"],
      relationships: ["s.type"],
    };
    expect(await here.execute(policy, query)).toEqual([
      { nodes: { "c.external_id": "c1", "reader.external_id": null }, relationships: { "s.type": null } },
      { nodes: { "c.external_id": "c2", "reader.external_id": "n1" }, relationships: { "s.type": "SIGNED" } },
      { nodes: { "c.external_id": "c3", "reader.external_id": null }, relationships: { "s.type": null } },
    ]);
    expect(await here.edges("Nurse/n1", "SIGNED", "Chart/c2")).toHaveLength(1);
  });

  it("set properties of an existing relationship, and show it (write echo)", async () => {
    const query = {
      filter: only("c1"),
      upsert_relationships: [{ name: "h", properties: [{ type: "verified", value: true }] }],
      relationships: ["h", "h.verified"],
    };
    const policy = nurse({}, { allowed_reads: { nodes: ["chart.external_id"] } });
    const [row] = await here.execute(policy, query);
    expect(row?.relationships).toMatchObject({
      "h.verified": true,
      h: { Type: "HOLDS", Props: { since: 2020, note: "n", verified: true, create_time: old } },
    });
    const [edge] = await here.edges("Ward/w1", "HOLDS", "Chart/c1");
    expect(edge).toMatchObject({ verified: true, since: 2020, _create_time: old });
    expect(edge?.["_update_time"]).not.toBe(old);
  });
});

describe("deletes (9.7)", () => {
  it("remove a node with its relationships and its trust score, and answer what it was (check 10)", async () => {
    await here.run(
      `MATCH (c:_Node {_key: $c}) CREATE (c)-[:_HAS]->(:_Node:_P__${here.pk}:_TrustScore__${here.pk} {_key: $t, _final_score: 0.5})`,
      { c: `${here.pk}/Chart/c1`, t: `${here.pk}/_TrustScore/x` },
    );
    const query = {
      filter: only("c1"),
      delete_nodes: ["chart"],
      nodes: ["chart.external_id", "chart.property.title", "chart.trust_score._final_score"],
    };
    expect(await here.execute(nurse(), query)).toEqual([
      {
        nodes: {
          "chart.external_id": "c1",
          "chart.property.title": "One",
          "chart.trust_score._final_score": 0.5,
        },
      },
    ]);
    expect(await here.node("Chart/c1")).toBeUndefined();
    expect(await here.node("_TrustScore/x")).toBeUndefined();
    expect(await here.node("Ward/w1")).toBeDefined();
    expect(await here.execute(nurse(), query)).toEqual([]);
  });

  it("remove a property with its reference and metadata; a second run is no error", async () => {
    const query = { filter: only("c1"), delete_nodes: ["chart.property.draft", "chart.property.scan"] };
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {} }]);
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(Object.keys(fields).filter((key) => /^(draft|scan)/.test(key))).toEqual([]);
    expect(fields).toMatchObject({ title: "One", state: "open" });
    expect(fields["update_time"]).not.toBe(old);
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {} }]);
  });

  it("remove one metadata key", async () => {
    await here.execute(nurse(), {
      filter: only("c1"),
      delete_nodes: ["chart.property.state.metadata.source"],
    });
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ state: "open", "state.metadata.note": "kept" });
    expect(fields).not.toHaveProperty(["state.metadata.source"]);
  });

  it("remove all properties and keep what the platform keeps", async () => {
    const before = (await here.node("Chart/c1"))?.fields ?? {};
    await here.execute(nurse(), { filter: only("c1"), delete_nodes: ["chart.*"] });
    const { fields = {}, labels } = (await here.node("Chart/c1")) ?? {};
    const { update_time: updated, ...rest } = fields;
    const kept = ["_key", "_key_extra", "external_id", "type", "id", "is_identity", "create_time"];
    expect(rest).toEqual(Object.fromEntries(kept.map((key) => [key, before[key]])));
    expect(updated).not.toBe(old);
    expect(labels).toHaveLength(3);
  });

  it("remove a relationship, one of its properties, or all", async () => {
    await here.execute(nurse(), { filter: only("c1"), delete_relationships: ["h.note"] });
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]).toMatchObject({ since: 2020 });
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]).not.toHaveProperty("note");
    await here.execute(nurse(), { filter: only("c1"), delete_relationships: ["h.*"] });
    const [bare] = await here.edges("Ward/w1", "HOLDS", "Chart/c1");
    expect(Object.keys(bare ?? {}).toSorted()).toEqual(["_create_time", "_discriminator", "_update_time"]);
    const query = { filter: only("c1"), delete_relationships: ["h"], relationships: ["h.type"] };
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {}, relationships: { "h.type": "HOLDS" } }]);
    expect(await here.edges("Ward/w1", "HOLDS", "Chart/c1")).toEqual([]);
    expect(await here.node("Chart/c1")).toBeDefined();
  });

  it("apply to every matched row, whatever the page", async () => {
    const query = { delete_nodes: ["chart"], nodes: ["chart.external_id"] };
    expect(await here.execute(nurse(), query, { pageSize: 1 })).toEqual([
      { nodes: { "chart.external_id": "c1" } },
    ]);
    for (const id of ["c1", "c2", "c3"]) expect(await here.node(`Chart/${id}`)).toBeUndefined();
  });

  it("may delete the subject itself", async () => {
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse)" },
      {
        allowed_reads: undefined,
        allowed_upserts: undefined,
        allowed_deletes: { nodes: ["subject"] },
      },
    );
    const query = { delete_nodes: ["subject"], nodes: ["subject.external_id"] };
    expect(await here.execute(policy, query)).toEqual([{ nodes: { "subject.external_id": "n1" } }]);
    expect(await here.node("Nurse/n1")).toBeUndefined();
    expect(await here.node("Nurse/n2")).toBeDefined();
    expect(await here.execute(policy, query)).toEqual([]);
  });

  it("never touch nodes of the platform, though the pattern may bind them", async () => {
    const policy = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application), (x)" },
      allowed_upserts: { nodes: { existing_nodes: ["x"] } },
      allowed_deletes: { nodes: ["x", "x.*"] },
    };
    const before = await here.picture();
    for (const query of [
      { delete_nodes: ["x"] },
      { delete_nodes: ["x.*"] },
      { upsert_nodes: [{ name: "x", properties: [{ type: "a", value: 1 }] }] },
    ]) {
      const refused = await here.refusal(policy, query, { token: null });
      expect(refused.errors).toEqual(["query: nodes of type _Application can only be linked"]);
    }
    expect(await here.picture()).toBe(before);
  });

  it("never touch relationships of the platform", async () => {
    await here.run("MATCH (c:_Node {_key: $c}) MATCH (a:_Node {_key: $a}) CREATE (c)-[:_BELONGS_TO]->(a)", {
      c: `${here.pk}/Chart/c1`,
      a: `${here.pk}/Ward/w1`,
    });
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse), (chart:Chart)-[r]->(w:Ward)" },
      {
        allowed_reads: undefined,
        allowed_upserts: { relationships: { existing_relationships: ["r"] } },
        allowed_deletes: { relationships: ["r"] },
      },
    );
    for (const query of [
      { delete_relationships: ["r"] },
      { upsert_relationships: [{ name: "r", properties: [{ type: "a", value: 1 }] }] },
    ]) {
      const refused = await here.refusal(policy, query);
      expect(refused.errors).toEqual(["query: relationships of type _BELONGS_TO cannot be changed"]);
    }
  });
});

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { type Json, openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";

const at = "2026-01-01T00:00:00.000Z";
const pk = newProjectKey(randomBytes(8));

const seed: Seed = {
  nodes: {
    "Nurse/n1": { name: "Ada" },
    "Nurse/n2": { name: "Bo" },
    "Ward/w1": { name: "East", secret: "b" },
    "Ward/w2": { name: "East", secret: "a" },
    "Chart/c1": {
      title: "One",
      risk: 1,
      weight: 1.5,
      open: true,
      tags: ["a", "b"],
      "title.metadata.source": "s",
      "title.metadata.note": "n",
      "title.update_time": at,
      "scan.external_value": "resolver",
      "scan.metadata.source": "x",
      "_p.type": "paper",
      "_p._own": 1,
      create_time: at,
      update_time: at,
    },
    "Chart/c2": { title: "Two", risk: 5, create_time: at, update_time: at },
    "Chart/c3": { risk: 5 },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n1", "ON", "Ward/w2"],
    ["Ward/w1", "HOLDS", "Chart/c1", { since: 2020, _create_time: at, _update_time: at, "_p._x": 1 }],
    ["Ward/w1", "HOLDS", "Chart/c2", { since: 2021 }],
    ["Ward/w2", "HOLDS", "Chart/c3", { since: 2022 }],
  ],
};

let graph: Graph;
let here: TestProject;
let there: TestProject;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  here = await openProject(graph, seed, pk);
  there = await openProject(graph, seed);
  const scores = {
    _final_score: 0.5,
    _validity: 1,
    _verification: 0.1,
    _freshness: 0.2,
    _origin: 0.3,
    _completeness: 0.4,
  };
  await here.run(
    `MATCH (c:_Node {_key: $c}) CREATE (c)-[:_HAS]->(t:_Node:_P__${pk}:_TrustScore__${pk}) SET t = $fields`,
    { c: `${pk}/Chart/c1`, fields: { _key: `${pk}/_TrustScore/c1`, id: "ours", ...scores } },
  );
});
afterAll(async () => {
  await here.drop();
  await there.drop();
  await graph.close();
});

const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const policy = (reads: Json, condition: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: reads,
});
const one = { attribute: "chart.external_id", operator: "=", value: "c1" };
const all = policy({ nodes: ["chart.*", "w.*", "subject"], relationships: ["h"] });

describe("what a path shows", () => {
  const shown = async (path: string, list: "nodes" | "relationships" = "nodes"): Promise<Json> => {
    const [row] = await here.execute(all, { [list]: [path], filter: one });
    return (list === "nodes" ? row?.nodes : row?.relationships) ?? {};
  };

  it.each<[string, Json]>([
    ["chart.external_id", { "chart.external_id": "c1" }],
    ["chart.type", { "chart.type": "Chart" }],
    ["chart.create_time", { "chart.create_time": at }],
    ["chart.property.title", { "chart.property.title": "One" }],
    ["chart.property.title.value", { "chart.property.title.value": "One" }],
    ["chart.property.risk", { "chart.property.risk": 1 }],
    ["chart.property.weight", { "chart.property.weight": 1.5 }],
    ["chart.property.open", { "chart.property.open": true }],
    ["chart.property.tags", { "chart.property.tags": ["a", "b"] }],
    ["chart.property.type", { "chart.property.type": "paper" }],
    ["chart.property.absent", { "chart.property.absent": null }],
    ["chart.property.title.metadata.source", { "chart.property.title.metadata.source": "s" }],
    ["chart.property.title.metadata.absent", { "chart.property.title.metadata.absent": null }],
    ["chart.trust_score._final_score", { "chart.trust_score._final_score": 0.5 }],
    ["w.trust_score._origin", { "w.trust_score._origin": null }],
    [
      "chart.trust_score.*",
      {
        "chart.trust_score._final_score": 0.5,
        "chart.trust_score._validity": 1,
        "chart.trust_score._verification": 0.1,
        "chart.trust_score._freshness": 0.2,
        "chart.trust_score._origin": 0.3,
        "chart.trust_score._completeness": 0.4,
      },
    ],
    [
      "chart.property.title.*",
      {
        "chart.property.title": "One",
        "chart.property.title.metadata.note": "n",
        "chart.property.title.metadata.source": "s",
      },
    ],
    [
      "chart.property.title.metadata.*",
      { "chart.property.title.metadata.note": "n", "chart.property.title.metadata.source": "s" },
    ],
    [
      "chart.property.*",
      {
        "chart.property._own": 1,
        "chart.property.open": true,
        "chart.property.risk": 1,
        "chart.property.scan": null,
        "chart.property.tags": ["a", "b"],
        "chart.property.title": "One",
        "chart.property.type": "paper",
        "chart.property.weight": 1.5,
      },
    ],
  ])("%s", async (path, expected) => {
    expect(await shown(path)).toEqual(expected);
  });

  it("is the same when a page comes row by row", async () => {
    const query = {
      nodes: ["chart.*", "chart.trust_score.*", "w", "chart.property.scan"],
      relationships: ["h", "h.since"],
    };
    const pages = [{}, { pageSize: 2 }, { pageSize: 2, pageToken: 2 }, { pageToken: 9 }];
    for (const page of pages) {
      const [list, rowByRow] = await Promise.all(
        [false, true].map((large) => here.ask(all, query, { ...page, rowByRow: large })),
      );
      expect(rowByRow).toEqual(list);
    }
  });

  it("has ids that are the project's: no number of the database, and the same wherever an element is shown", async () => {
    const [row] = await here.execute(all, { nodes: ["w", "chart"], relationships: ["h"], filter: one });
    const [h, w, chart] = [row?.relationships?.["h"], row?.nodes["w"], row?.nodes["chart"]] as Json[];
    expect([h?.["StartId"], h?.["StartElementId"]]).toEqual([w?.["Id"], w?.["ElementId"]]);
    expect([h?.["EndId"], h?.["EndElementId"]]).toEqual([chart?.["Id"], chart?.["ElementId"]]);
    const stored = (await graph.shared.read(
      "MATCH (c:_Node {_key: $c}) RETURN elementId(c) AS c",
      { c: `${pk}/Chart/c1` },
      { timeoutMs: 10_000 },
    )) as { c: string }[]; // as the statement says
    const [database, number] = [stored[0]?.c ?? "", Number(stored[0]?.c.split(":").at(-1))];
    for (const shown of [h, w, chart]) {
      expect(shown?.["ElementId"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(Number.isSafeInteger(shown?.["Id"])).toBe(true);
    }
    expect(JSON.stringify(row)).not.toContain(database.split(":")[1]);
    // The store of a test holds nothing like 2^40 elements.
    expect(Math.abs(Number(chart?.["Id"]) - number)).toBeGreaterThan(2 ** 30);
    const [again] = await here.execute(all, { nodes: ["chart"], filter: one });
    expect(again?.nodes["chart"]).toEqual(chart);
  });

  it("a whole node holds its system fields alone", async () => {
    const { chart } = await shown("chart");
    const { Id, ElementId, ...rest } = chart as Json;
    expect([typeof Id, typeof ElementId]).toEqual(["number", "string"]);
    const id = (await here.node("Chart/c1"))?.fields["id"];
    expect(rest).toEqual({
      Labels: ["Chart"],
      Props: { external_id: "c1", type: "Chart", id, is_identity: false, create_time: at, update_time: at },
    });
  });

  it("all of a node, as one key for each value: neither metadata nor scores", async () => {
    expect(Object.keys(await shown("chart.*")).toSorted()).toEqual([
      "chart.create_time",
      "chart.external_id",
      "chart.id",
      "chart.property._own",
      "chart.property.open",
      "chart.property.risk",
      "chart.property.scan",
      "chart.property.tags",
      "chart.property.title",
      "chart.property.type",
      "chart.property.weight",
      "chart.type",
      "chart.update_time",
    ]);
  });

  it("a relationship, its properties, and all of them", async () => {
    const { h } = await shown("h", "relationships");
    expect(h).toMatchObject({
      Type: "HOLDS",
      Props: { since: 2020, _x: 1, create_time: at, update_time: at },
    });
    expect(Object.keys(h as Json).toSorted()).toEqual(
      ["ElementId", "EndElementId", "EndId", "Id", "Props", "StartElementId", "StartId", "Type"].toSorted(),
    );
    expect(await shown("h.since", "relationships")).toEqual({ "h.since": 2020 });
    expect(await shown("h.type", "relationships")).toEqual({ "h.type": "HOLDS" });
    expect(await shown("h.absent", "relationships")).toEqual({ "h.absent": null });
    expect(await shown("h.*", "relationships")).toEqual({
      "h.since": 2020,
      "h._x": 1,
      "h.type": "HOLDS",
      "h.create_time": at,
      "h.update_time": at,
    });
  });

  it("the hops of a variable length as a list", async () => {
    const hops = policy(
      { relationships: ["hops"] },
      { cypher: "MATCH (subject:Nurse)-[hops:ON|HOLDS*2]->(chart:Chart {external_id: 'c1'})" },
    );
    const [row] = await here.execute(hops, { relationships: ["hops"] });
    expect(row?.relationships?.["hops"]).toMatchObject([{ Type: "ON" }, { Type: "HOLDS" }]);
  });

  it("values that a WITH bound, nodes and relationships in them whole", async () => {
    const grouped = policy(
      { aggregate_values: ["n", "best", "found", "edges"] },
      {
        cypher: `${cypher} WITH subject, w, count(chart) AS n, max(chart.property.risk) AS best, {first: head(collect(chart))} AS found, collect(h) AS edges`,
        filter: [{ attribute: "n", operator: ">", value: 1 }],
      },
    );
    const rows = await here.execute(grouped, {
      nodes: [],
      aggregate_values: ["n", "best", "found", "edges"],
    });
    expect(rows).toEqual([
      {
        nodes: {},
        aggregate_values: {
          n: 2,
          best: 5,
          found: { first: expect.objectContaining({ Labels: ["Chart"] }) as unknown },
          edges: [expect.objectContaining({ Type: "HOLDS" }), expect.objectContaining({ Type: "HOLDS" })],
        },
      },
    ]);
  });

  it("null for an alias that an OPTIONAL MATCH did not find, nothing for its wildcards", async () => {
    const optional = policy(
      { nodes: ["x.*"], relationships: ["r"] },
      { cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[r:SIGNED]->(x:Chart)" },
    );
    const query = {
      nodes: ["x", "x.external_id", "x.property.a", "x.trust_score._origin", "x.property.*"],
      relationships: ["r", "r.a", "r.*"],
    };
    expect(await here.execute(optional, query)).toEqual([
      {
        nodes: { x: null, "x.external_id": null, "x.property.a": null, "x.trust_score._origin": null },
        relationships: { r: null, "r.a": null },
      },
    ]);
  });

  it("one row for each match, equal rows included", async () => {
    const rows = await here.execute(all, { nodes: ["subject.external_id"] });
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ nodes: { "subject.external_id": "n1" } })));
  });

  it("relationships and aggregates only where the query asks for some", async () => {
    expect(
      await here.execute(all, {
        nodes: ["w.external_id"],
        relationships: [],
        aggregate_values: [],
        filter: one,
      }),
    ).toEqual([{ nodes: { "w.external_id": "w1" } }]);
  });
});

describe("the order of rows", () => {
  const orderOf = async (reads: Json, nodes: readonly string[], condition: Json = {}): Promise<unknown[]> => {
    const rows = await here.execute(policy(reads, condition), { nodes: [...nodes, "chart.property.risk"] });
    return rows.map((row) => row.nodes["chart.property.risk"]);
  };

  it("is that of readable keys", async () => {
    expect(await orderOf({ nodes: ["chart.*"] }, [])).toEqual([1, 5, 5]);
    expect(await orderOf({ nodes: ["w.external_id", "chart.property.risk"] }, ["w.external_id"])).toEqual([
      1, 5, 5,
    ]);
  });

  it("is that of the values shown where keys are hidden, and never of hidden values", async () => {
    const find = "MATCH (subject:Nurse)-[:ON]->(w:Ward)";
    const both = policy({ nodes: ["w.property.name"] }, { cypher: find });
    expect(await here.execute(both, { nodes: ["w.property.name"] })).toHaveLength(2);
    // c3 shows no title and c1 more properties than c2: keys, ids and metadata play no part.
    const titles = policy({ nodes: ["chart.property.title.metadata.*", "chart.property.risk"] });
    const rows = await here.execute(titles, {
      nodes: ["chart.property.title.metadata.*", "chart.property.risk"],
    });
    expect(rows.map((row) => row.nodes["chart.property.risk"])).toEqual([5, 5, 1]);
    const narrow = policy({ nodes: ["chart.property.*"] });
    const shown = await here.execute(narrow, { nodes: ["chart.property.*"] });
    expect(shown.map((row) => Object.keys(row.nodes)[0])).toEqual([
      "chart.property._own",
      "chart.property.risk",
      "chart.property.risk",
    ]);
  });

  it("joins pages to the whole (check 11)", async () => {
    const query = { nodes: ["chart.property.risk"] };
    const narrow = policy({ nodes: ["chart.property.risk"] });
    const whole = await here.execute(narrow, query);
    for (const pageSize of [1, 2]) {
      const pages = [];
      for (let pageToken = 0; pageToken < 3; pageToken += pageSize)
        pages.push(...(await here.execute(narrow, query, { pageSize, pageToken })));
      expect(pages).toEqual(whole);
    }
    expect(await here.execute(narrow, query, { pageSize: 2, pageToken: 1 })).toEqual(whole.slice(0, 2));
    expect(await here.execute(narrow, query, { pageSize: 1, pageToken: 1 })).toEqual(whole.slice(1, 2));
  });
});

describe("equalities of filters", () => {
  const risk = (value: unknown): Json => ({ attribute: "chart.property.risk", operator: "=", value });
  const idsOf = async (condition: Json, params: Json = {}): Promise<unknown[]> => {
    const rows = await here.execute(
      policy({ nodes: ["chart"] }, condition),
      { nodes: ["chart.external_id"] },
      { params },
    );
    return rows.map((row) => row.nodes["chart.external_id"]);
  };

  it.each<[string, unknown, Json, unknown[]]>([
    [cypher, 5, {}, ["c2", "c3"]],
    [cypher, "$r", { r: 1 }, ["c1"]],
    [cypher, "$r", { r: 1.0 }, ["c1"]],
    [cypher, "$r", { r: "1" }, []],
    [cypher, "$r", { r: [1] }, []],
    [`${cypher} WITH subject, chart, count(w) AS n`, 5, {}, ["c2", "c3"]],
    // The author's LIMIT takes a row before the filter is asked.
    [`${cypher} WITH subject, chart ORDER BY chart.external_id LIMIT 1`, 5, {}, []],
    [
      "MATCH (subject:Nurse)-[:ON]->(w:Ward) WITH subject, w ORDER BY w.external_id LIMIT 1 MATCH (w)-[:HOLDS]->(chart:Chart)",
      5,
      {},
      ["c2"],
    ],
    ["MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:ON]->()-[:HOLDS]->(chart:Chart)", 5, {}, ["c2", "c3"]],
    ["MATCH (subject:Nurse)-[:ON]->()-[:HOLDS]->(chart:Chart {risk: 1})", 5, {}, []],
  ])("%s keeps what it means with %j", async (text, value, params, expected) => {
    expect(await idsOf({ cypher: text, filter: [risk(value)] }, params)).toEqual(expected);
  });

  it("keep the rows of an author's barrier", async () => {
    const barrier =
      "MATCH (subject:Nurse) WHERE subject.external_id = $token.sub WITH subject LIMIT 1 MATCH (subject)-[:ON]->()-[:HOLDS]->(chart:Chart)";
    expect(
      await idsOf({
        cypher: barrier,
        filter: [{ attribute: "subject.property.name", operator: "=", value: "Ada" }],
      }),
    ).toEqual(["c1", "c2", "c3"]);
    expect(
      await idsOf({
        cypher: barrier,
        filter: [{ attribute: "subject.external_id", operator: "=", value: "n2" }],
      }),
    ).toEqual([]);
  });
});

describe("who the subject is", () => {
  it("the token's person also where a WITH comes before the text binds the subject", async () => {
    const condition = { cypher: "MATCH (w:Ward) WITH w MATCH (subject), (chart:Chart)" };
    const rows = await here.execute(
      policy({ nodes: ["subject"] }, condition),
      { nodes: ["subject.external_id"] },
      { token: { sub: "n2" } },
    );
    expect(new Set(rows.map((row) => row.nodes["subject.external_id"]))).toEqual(new Set(["n2"]));
  });

  it("each row once for an application, with two applications in the project", async () => {
    await here.run(
      `CREATE (:_Node:_P__${pk}:_Application__${pk} {_key: $k, external_id: 'other', type: '_Application', id: $k})`,
      { k: `${pk}/_Application/other` },
    );
    const own = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application), (w:Ward)" },
      allowed_reads: { nodes: ["w"] },
    };
    expect(await here.execute(own, { nodes: ["w.external_id"] }, { token: null })).toEqual([
      { nodes: { "w.external_id": "w1" } },
      { nodes: { "w.external_id": "w2" } },
    ]);
  });
});

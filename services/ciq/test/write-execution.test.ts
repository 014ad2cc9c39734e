import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import {
  type Json,
  openProject,
  openTestGraph,
  options,
  type Seed,
  type TestProject,
} from "./ciq-under-test.ts";

/** One nurse, one ward, five charts. */
const seed: Seed = {
  nodes: {
    "Nurse/n1": {},
    "Nurse/n2": {},
    "Ward/w1": {},
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`Chart/c${n}`, { rank: 10 - n, hits: 0 }])),
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n2", "ON", "Ward/w1"],
    ...[1, 2, 3, 4, 5].map((n) => ["Ward/w1", "HOLDS", `Chart/c${n}`, { since: n }] as const),
  ],
};

const pk = newProjectKey(randomBytes(8));
let graph: Graph;
let here: TestProject;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
beforeEach(async () => {
  here = await openProject(graph, seed, pk);
});
afterEach(() => here.drop());
afterAll(() => graph.close());

const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const policy = (changes: Json = {}, condition: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: { nodes: ["chart.*"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
    relationships: {
      relationship_types: [
        { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: { nodes: ["chart", "chart.*"], relationships: ["h"] },
  ...changes,
});
const set = (value: unknown): Json => ({ name: "chart", properties: [{ type: "hits", value }] });
const note = (id: string): Json => ({ name: "note", type: "Note", external_id: id });
const ids = (rows: readonly { readonly nodes: Json }[]): unknown[] =>
  rows.map(({ nodes }) => nodes["chart.external_id"]);

describe("reads, writes and deletes of one query (9.8)", () => {
  it("see new values and what is deleted, and keep the order of the match (checks 10, 12)", async () => {
    const query = {
      upsert_nodes: [{ name: "chart", properties: [{ type: "state", value: "$s" }] }],
      delete_nodes: ["chart.property.rank"],
      filter: { attribute: "chart.property.rank", operator: ">", value: 6 },
      nodes: ["chart.external_id", "chart.property.state", "chart.property.rank"],
    };
    const row = (id: string, rank: number) => ({
      nodes: { "chart.external_id": id, "chart.property.state": "new", "chart.property.rank": rank },
    });
    const first = await here.execute(policy(), query, { params: { s: "new" }, pageSize: 1 });
    expect(first).toEqual([row("c1", 9)]);
    for (const id of ["c1", "c2", "c3"]) {
      const { fields = {} } = (await here.node(`Chart/${id}`)) ?? {};
      expect(fields["state"]).toBe("new");
      expect(fields).not.toHaveProperty("rank");
    }
    expect((await here.node("Chart/c4"))?.fields["rank"]).toBe(6);
    // The rank that the filter asks for is gone.
    expect(await here.execute(policy(), query, { params: { s: "new" } })).toEqual([]);
  });

  it("never let a write decide which rows there are", async () => {
    const chain = policy(
      {
        allowed_upserts: {
          relationships: {
            relationship_types: [{ type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" }],
          },
        },
      },
      { cypher: `${cypher} WHERE NOT (subject)-[:SIGNED]->(chart) AND NOT (subject)-[:SIGNED]->()` },
    );
    const sign = {
      upsert_relationships: [{ name: "s", source: "subject", target: "chart", type: "SIGNED" }],
      nodes: ["chart.external_id"],
    };
    expect(ids(await here.execute(chain, sign))).toEqual(["c1", "c2", "c3", "c4", "c5"]);
    expect(await here.execute(chain, sign)).toEqual([]);
  });

  it("answer one empty row for each match when nothing is projected", async () => {
    expect(await here.execute(policy(), { upsert_nodes: [set(1)] })).toEqual(
      Array.from({ length: 5 }, () => ({ nodes: {} })),
    );
  });

  it("answer what a WITH bound, from the match", async () => {
    const grouped = policy(
      {
        allowed_reads: { aggregate_values: ["n"] },
        allowed_upserts: { nodes: { existing_nodes: ["w"] } },
        allowed_deletes: undefined,
      },
      { cypher: `${cypher} WITH subject, w, count(chart) AS n` },
    );
    const query = {
      upsert_nodes: [{ name: "w", properties: [{ type: "size", value: 1 }] }],
      aggregate_values: ["n"],
      nodes: ["w.property.size"],
    };
    expect(await here.execute(grouped, query)).toEqual([
      { nodes: { "w.property.size": 1 }, aggregate_values: { n: 5 } },
    ]);
  });

  it("show the hops of a variable length, in their order", async () => {
    const hops = policy(
      {
        allowed_reads: { nodes: ["chart"], relationships: ["hops"] },
        allowed_deletes: undefined,
        allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
      },
      { cypher: "MATCH (subject:Nurse)-[hops:ON|HOLDS*1..2]->(chart:Chart)" },
    );
    const query = {
      filter: { attribute: "chart.external_id", operator: "=", value: "c1" },
      upsert_nodes: [set(1)],
      relationships: ["hops"],
    };
    const [row] = await here.execute(hops, query);
    expect(row?.relationships?.["hops"]).toMatchObject([
      { Type: "ON" },
      { Type: "HOLDS", Props: { since: 1 } },
    ]);
  });
});

describe("paging of a writing query (9.4, check 11)", () => {
  const query = { upsert_nodes: [set(1)], nodes: ["chart.external_id"] };
  const page = async (pageSize: number, pageToken: number): Promise<unknown[]> =>
    ids(await here.execute(policy(), query, { pageSize, pageToken }));

  it("cuts the returned rows alone", async () => {
    expect([await page(2, 0), await page(2, 2), await page(2, 4), await page(2, 6)]).toEqual([
      ["c1", "c2"],
      ["c3", "c4"],
      ["c5"],
      [],
    ]);
    expect(await page(2, 1)).toEqual(["c1", "c2"]);
    expect([await page(1, 0), await page(1, 1), await page(1, 2)]).toEqual([["c1"], ["c2"], ["c3"]]);
  });

  it("writes every row for a page beyond the last", async () => {
    expect(await page(2, 100)).toEqual([]);
    expect((await here.node("Chart/c5"))?.fields["hits"]).toBe(1);
  });
});

describe("a failing execution writes nothing", () => {
  it("not a node when its last relationship fails (check 13)", async () => {
    await here.run(
      "MATCH (:_Node {_key: $w})-[h:HOLDS]->(:_Node {_key: $c}) SET h.discriminating_property = 'since', h._discriminator = '5'",
      { w: `${pk}/Ward/w1`, c: `${pk}/Chart/c5` },
    );
    const before = await here.picture();
    const query = {
      upsert_nodes: [note("x"), set(7)],
      upsert_relationships: [
        { name: "ab", source: "note", target: "chart", type: "ABOUT" },
        { name: "h", properties: [{ type: "since", value: 6 }] },
      ],
    };
    expect((await here.refusal(policy(), query)).status).toBe(422);
    expect(await here.picture()).toBe(before);
  });

  it("nor when more than 10,000 rows match", async () => {
    const wide = policy(
      {},
      {
        cypher:
          "MATCH (subject:Nurse) UNWIND $list AS x MATCH (chart:Chart {external_id: 'c1'}), (:Ward)-[h]->(chart)",
      },
    );
    const list = Array.from({ length: 10_001 }, (_, index) => index);
    const query = { upsert_nodes: [note("x"), set(1)] };
    const refused = await here.refusal(wide, query, { params: { list } });
    expect([refused.status, refused.errors]).toEqual([
      422,
      ["query: more than 10000 rows match; nothing was written"],
    ]);
    expect(await here.node("Note/x")).toBeUndefined();
    const rows = await here.execute(wide, query, { params: { list: list.slice(1) }, pageSize: 1000 });
    expect(rows).toHaveLength(1000);
    expect(await here.node("Note/x")).toBeDefined();
  });

  it("nor past its time limit, which is 408", async () => {
    // Few patterns may be planned together.
    const nodes = Array.from({ length: 9 }, (_, index) => `WITH * MATCH (x${index})`).join(" ");
    const endless = policy({}, { cypher: `${cypher} ${nodes} WITH subject, chart, h, count(*) AS n` });
    const refused = await here.refusal(endless, { upsert_nodes: [set(1)] }, { timeoutMs: 500 });
    expect(refused.status).toBe(408);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(0);
  });

  it("nor when the values at hand cannot be evaluated", async () => {
    const odd = policy({}, { cypher: `${cypher} WHERE date($day) = date('2026-01-01')` });
    const refused = await here.refusal(odd, { upsert_nodes: [set(1)] }, { params: { day: "no day" } });
    expect(refused.status).toBe(422);
  });

  it("nor when the policy no longer allows it (check 8)", async () => {
    const query = { upsert_nodes: [set(1)], nodes: ["chart.property.hits", "chart.property.rank"] };
    await here.execute(policy(), query);
    const narrowed = policy({
      allowed_reads: undefined,
      allowed_upserts: { nodes: { node_types: ["Note"] } },
    });
    const refused = await here.refusal(narrowed, { ...query, upsert_nodes: [set(2)] });
    expect([refused.status, refused.errors]).toEqual([
      422,
      [
        "query.nodes[1]: chart.property.rank is not in allowed_reads.nodes",
        "query.upsert_nodes[0].name: chart is not in allowed_upserts.nodes.existing_nodes",
      ],
    ]);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(1);
  });

  it("nor when the token does not satisfy the policy (check 17)", async () => {
    const strict = policy({}, { token_filter: { attribute: "$token.acr", operator: "=", value: "high" } });
    const refused = await here.refusal(strict, { upsert_nodes: [set(1)] });
    expect(refused.status).toBe(401);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(0);
  });

  it("nor when nobody knows the subject of the token", async () => {
    const before = await here.picture();
    expect(await here.execute(policy(), { upsert_nodes: [note("x")] }, { token: { sub: "nobody" } })).toEqual(
      [],
    );
    expect(await here.picture()).toBe(before);
  });
});

describe("parallel executions with overlapping rows", () => {
  it("all succeed, and leave one node and one relationship of each", async () => {
    const query = {
      upsert_nodes: [
        { name: "chart", properties: [{ type: "hits", value: "$n" }] },
        { name: "note", type: "Note", external_id: "$note", properties: [{ type: "by", value: "$n" }] },
      ],
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [{ type: "n", value: "$n" }],
        },
        { name: "ab", source: "note", target: "chart", type: "ABOUT" },
        { name: "h", properties: [{ type: "n", value: "$n" }] },
      ],
      nodes: ["chart.external_id", "chart.property.hits", "note.external_id"],
      relationships: ["s.n"],
    };
    const runs = Array.from({ length: 8 }, (_, n) =>
      here.execute(policy(), query, {
        params: { n, note: `x${n % 2}` },
        token: { sub: n % 3 === 0 ? "n2" : "n1" },
      }),
    );
    const answers = await Promise.all(runs);
    // Each sees its own values in all its rows.
    answers.forEach((rows, n) => {
      expect(ids(rows)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
      expect(new Set(rows.map(({ nodes }) => nodes["chart.property.hits"]))).toEqual(new Set([n]));
      expect(new Set(rows.map((row) => row.relationships?.["s.n"]))).toEqual(new Set([n]));
    });
    // Whoever came last won everywhere: no execution is half in the graph.
    const hits = new Set<unknown>();
    for (const id of [1, 2, 3, 4, 5]) {
      hits.add((await here.node(`Chart/c${id}`))?.fields["hits"]);
      hits.add((await here.edges("Ward/w1", "HOLDS", `Chart/c${id}`))[0]?.["n"]);
      for (const nurse of ["n1", "n2"])
        expect(await here.edges(`Nurse/${nurse}`, "SIGNED", `Chart/c${id}`)).toHaveLength(1);
      for (const x of ["x0", "x1"])
        expect(await here.edges(`Note/${x}`, "ABOUT", `Chart/c${id}`)).toHaveLength(1);
    }
    expect(hits.size).toBe(1);
  });
});

describe("an execution that meets another writer", () => {
  it("begins anew when that one deletes what it found", async () => {
    const [deleted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = graph.shared.write(async (tx) => {
      await tx.run("MATCH (n:_Node {_key: $k}) DETACH DELETE n", { k: `${pk}/Chart/c1` });
      deleted.resolve();
      await ended.promise;
    }, options);
    await deleted.promise;
    const query = {
      upsert_nodes: [note("x")],
      upsert_relationships: [{ name: "ab", source: "note", target: "chart", type: "ABOUT" }],
      nodes: ["chart.external_id"],
    };
    const execution = here.execute(policy(), query);
    // By then it has matched, and waits for the lock of the other one.
    await wait(1_000);
    ended.resolve();
    await other;
    expect(ids(await execution)).toEqual(["c2", "c3", "c4", "c5"]);
    expect(await here.edges("Note/x", "ABOUT", "Chart/c2")).toHaveLength(1);
  });
});

describe("who the subject is (check 14, 6)", () => {
  it("an unconstrained person is the token's, in writes too", async () => {
    const own = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      { cypher: "MATCH (subject:Nurse)" },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "mood", value: "good" }] }],
      nodes: ["subject.external_id", "subject.property.mood"],
    };
    expect(await here.execute(own, query, { token: { sub: "n2" } })).toEqual([
      { nodes: { "subject.external_id": "n2", "subject.property.mood": "good" } },
    ]);
    expect((await here.node("Nurse/n1"))?.fields).not.toHaveProperty("mood");
  });

  it("also where a WITH comes before the text binds the subject", async () => {
    const later = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      { cypher: "MATCH (w:Ward) WITH w MATCH (subject)-[:ON]->(w)" },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "mood", value: "good" }] }],
      nodes: ["subject.external_id"],
    };
    expect(await here.execute(later, query)).toEqual([{ nodes: { "subject.external_id": "n1" } }]);
  });

  it("$subject_external_id is an ordinary input parameter", async () => {
    const picked = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      {
        cypher: "MATCH (subject:Nurse)",
        filter: [{ attribute: "subject.external_id", operator: "=", value: "$subject_external_id" }],
      },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "by", value: "$_appId" }] }],
      nodes: ["subject.external_id"],
    };
    const rows = await here.execute(picked, query, { params: { subject_external_id: "n2" } });
    expect(rows).toEqual([{ nodes: { "subject.external_id": "n2" } }]);
    expect((await here.node("Nurse/n2"))?.fields["by"]).toBe(here.application);
  });

  it("links the calling application, and nothing else of the platform", async () => {
    const link = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application), (w:Ward)" },
      allowed_upserts: {
        relationships: {
          relationship_types: [
            { type: "SERVES", source_node_label: "_Application", target_node_label: "Ward" },
          ],
        },
      },
    };
    const query = {
      upsert_relationships: [{ name: "s", source: "subject", target: "w", type: "SERVES" }],
      nodes: ["subject.external_id", "w.external_id"],
      relationships: ["s"],
    };
    const other = await openProject(graph, seed, newProjectKey(randomBytes(8)));
    const [row, ...more] = await here.execute(link, query, { token: null });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      nodes: { "subject.external_id": here.application, "w.external_id": "w1" },
      relationships: { s: { Type: "SERVES", Props: {} } },
    });
    expect(await other.picture()).not.toContain("SERVES");
    await other.drop();
  });
});

describe("names that a query writes", () => {
  it("count against the limits of the project: what exceeds them is refused, and nothing is written", async () => {
    const small = await openProject(
      graph,
      {
        nodes: { "Nurse/n1": {}, "Ward/w1": {}, "Chart/c1": {} },
        edges: seed.edges.filter(([a, , b]) => !/n2|c[2-5]/.test(a + b)),
      },
      undefined,
      {
        property_names: 3,
        node_types: 3,
        relationship_types: 3,
      },
    );
    const properties = (...types: readonly string[]) => types.map((type) => ({ type, value: 1 }));
    const write = (...types: readonly string[]) => ({
      upsert_nodes: [{ name: "chart", properties: properties(...types) }],
    });
    // The seed has `since`.
    await small.execute(policy(), write("one"));
    const names = async (query: Json): Promise<readonly string[]> => {
      // Counting what the graph had before takes a moment.
      for (;;) {
        const { code, errors } = await small.refusal(policy(), query);
        if (code !== "unavailable") return [code, ...errors];
        await wait(20);
      }
    };
    expect(await names(write("one", "two", "three"))).toEqual([
      "unprocessable",
      "query.upsert_nodes[0]: the project's graph has 2 property names and cannot take 2 more: two and others (limit property_names, 3)",
    ]);
    const note = {
      upsert_nodes: [{ name: "note", type: "Note", external_id: "x" }],
      upsert_relationships: [{ name: "about", type: "ABOUT", source: "note", target: "chart" }],
    };
    expect(await names(note)).toEqual([
      "unprocessable",
      "query.upsert_nodes[0]: the project's graph has 3 node types and cannot take 1 more: Note (limit node_types, 3)",
    ]);
    expect((await small.node("Chart/c1"))?.fields["two"]).toBeUndefined();
    expect(await small.node("Note/x")).toBeUndefined();
    await small.execute(policy(), write("one", "two"));
    await small.drop();
  });
});

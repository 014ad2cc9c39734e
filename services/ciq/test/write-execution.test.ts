import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import { useRankedCharts, pk, here, cypher, policy, note, ids } from "./ranked-charts.ts";

useRankedCharts();

const set = (value: unknown): Json => ({ name: "chart", properties: [{ type: "hits", value }] });

describe("reads, writes and deletes of one query", () => {
  it("see new values and what is deleted, and keep the order of the match", async () => {
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

describe("paging of a writing query", () => {
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
  it("not a node when its last relationship fails", async () => {
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

  it("nor when the policy no longer allows it", async () => {
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

  it("nor when the token does not satisfy the policy", async () => {
    const strict = policy({}, { token_filter: { attribute: "$token.acr", operator: "=", value: "high" } });
    const refused = await here.refusal(strict, { upsert_nodes: [set(1)] });
    expect(refused.status).toBe(401);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(0);
  });

  it("nor when the subject of the token is unknown", async () => {
    const before = await here.picture();
    expect(await here.execute(policy(), { upsert_nodes: [note("x")] }, { token: { sub: "nobody" } })).toEqual(
      [],
    );
    expect(await here.picture()).toBe(before);
  });
});

import { describe, expect, it } from "@jest/globals";
import { useRankedCharts, here, cypher, policy, note, rowPerValue, setHits, ids } from "./ranked-charts.ts";

useRankedCharts();

describe("reads, writes and deletes of one query", () => {
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
    expect(await here.execute(policy(), { upsert_nodes: [setHits(1)] })).toEqual(
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
      upsert_nodes: [setHits(1)],
      relationships: ["hops"],
    };
    const [row] = await here.execute(hops, query);
    expect(row?.relationships?.["hops"]).toMatchObject([
      { Type: "ON" },
      { Type: "HOLDS", Props: { since: 1 } },
    ]);
  });
});

describe("an execution with many rows", () => {
  it("writes as many as 10,000", async () => {
    const list = Array.from({ length: 10_000 }, (_, index) => index);
    const query = { upsert_nodes: [note("x"), setHits(1)] };
    const rows = await here.execute(rowPerValue, query, { params: { list }, pageSize: 1000 });
    expect(rows).toHaveLength(1000);
    expect(await here.node("Note/x")).toBeDefined();
  });
});

describe("a failing execution writes nothing", () => {
  it("past its time limit, which is 408", async () => {
    // Few patterns may be planned together.
    const nodes = Array.from({ length: 9 }, (_, index) => `WITH * MATCH (x${index})`).join(" ");
    const endless = policy({}, { cypher: `${cypher} ${nodes} WITH subject, chart, h, count(*) AS n` });
    const refused = await here.refusal(endless, { upsert_nodes: [setHits(1)] }, { timeoutMs: 500 });
    expect(refused.status).toBe(408);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(0);
  });

  it("nor when more than 10,000 rows match", async () => {
    const list = Array.from({ length: 10_001 }, (_, index) => index);
    const query = { upsert_nodes: [note("x"), setHits(1)] };
    const refused = await here.refusal(rowPerValue, query, { params: { list } });
    expect([refused.status, refused.errors]).toEqual([
      422,
      ["query: more than 10000 rows match; nothing was written"],
    ]);
    expect(await here.node("Note/x")).toBeUndefined();
  });

  it("nor when the values at hand cannot be evaluated", async () => {
    const odd = policy({}, { cypher: `${cypher} WHERE date($day) = date('2026-01-01')` });
    const refused = await here.refusal(odd, { upsert_nodes: [setHits(1)] }, { params: { day: "no day" } });
    expect(refused.status).toBe(422);
  });
});

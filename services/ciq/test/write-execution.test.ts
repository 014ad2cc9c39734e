import { describe, expect, it } from "@jest/globals";
import { useRankedCharts, pk, here, policy, note, setHits, ids } from "./ranked-charts.ts";

useRankedCharts();

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
});

const setEveryHit = { upsert_nodes: [setHits(1)], nodes: ["chart.external_id"] };

describe("paging of a writing query", () => {
  const page = async (pageSize: number, pageToken: number): Promise<unknown[]> =>
    ids(await here.execute(policy(), setEveryHit, { pageSize, pageToken }));

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
      upsert_nodes: [note("x"), setHits(7)],
      upsert_relationships: [
        { name: "ab", source: "note", target: "chart", type: "ABOUT" },
        { name: "h", properties: [{ type: "since", value: 6 }] },
      ],
    };
    expect((await here.refusal(policy(), query)).status).toBe(422);
    expect(await here.picture()).toBe(before);
  });

  it("nor when the policy no longer allows it", async () => {
    const query = { upsert_nodes: [setHits(1)], nodes: ["chart.property.hits", "chart.property.rank"] };
    await here.execute(policy(), query);
    const narrowed = policy({
      allowed_reads: undefined,
      allowed_upserts: { nodes: { node_types: ["Note"] } },
    });
    const refused = await here.refusal(narrowed, { ...query, upsert_nodes: [setHits(2)] });
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
    const refused = await here.refusal(strict, { upsert_nodes: [setHits(1)] });
    expect(refused.status).toBe(401);
    expect((await here.node("Chart/c1"))?.fields["hits"]).toBe(0);
  });

  it("nor when the subject of the token is unknown", async () => {
    const before = await here.picture();
    expect(await here.execute(policy(), setEveryHit, { token: { sub: "nobody" } })).toEqual([]);
    expect(await here.picture()).toBe(before);
  });
});

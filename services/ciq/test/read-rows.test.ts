import { describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import type { Json } from "./ciq-under-test.ts";
import { useWards, pk, here, cypher, policy } from "./read-wards.ts";

useWards();

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

  it("joins pages to the whole", async () => {
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

  type Case = [text: string, value: unknown, params: Json, expected: unknown[]];
  const cases: Case[] = [
    [cypher, 5, {}, ["c2", "c3"]],
    [cypher, "$r", { r: 1 }, ["c1"]],
    [cypher, "$r", { r: 1.0 }, ["c1"]],
    [cypher, "$r", { r: "1" }, []],
    [cypher, "$r", { r: [1] }, []],
    // The author's LIMIT takes a row before the filter is asked.
    [`${cypher} WITH subject, chart ORDER BY chart.external_id LIMIT 1`, 5, {}, []],
  ];
  const more: Case[] = [
    [
      "MATCH (subject:Nurse)-[:ON]->(w:Ward) WITH subject, w ORDER BY w.external_id LIMIT 1 MATCH (w)-[:HOLDS]->(chart:Chart)",
      5,
      {},
      ["c2"],
    ],
    [`${cypher} WITH subject, chart, count(w) AS n`, 5, {}, ["c2", "c3"]],
    ["MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:ON]->()-[:HOLDS]->(chart:Chart)", 5, {}, ["c2", "c3"]],
    ["MATCH (subject:Nurse)-[:ON]->()-[:HOLDS]->(chart:Chart {risk: 1})", 5, {}, []],
  ];
  const sample = isLongRun() ? [...cases, ...more] : cases;

  it.each(sample)("%s keeps what it means with %j", async (text, value, params, expected) => {
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

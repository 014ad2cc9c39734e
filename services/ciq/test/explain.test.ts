import { describe, expect, it } from "@jest/globals";
import type { StoredResolver } from "@ikg/catalog";
import { openEgress } from "@ikg/egress";
import { externalValueField } from "@ikg/physical";
import { openResolvers } from "../src/resolvers/resolve.ts";
import { startUpstream } from "./upstream.ts";
import { useSecretCharts, pk, here, cypher, policy, ids, risk, why, recreate } from "./secret-charts.ts";

useSecretCharts();

describe("the explanation of a query that reads", () => {
  it("names policy and query, and counts rows before and after each filter of both", async () => {
    const explanation = await why(
      { filter: [risk("<=", 2), { attribute: "w.property.floor", operator: "=", value: 1 }] },
      { ...ids, filter: risk(">", "$least") },
      { params: { least: 1 }, pageSize: 1 },
    );
    expect(explanation).toEqual({
      policy: { id: expect.stringMatching(/^gid:/), name: "policy", version: 1 },
      query: { id: expect.stringMatching(/^gid:/), name: "query", version: 1 },
      outcome: "rows",
      rows: {
        pattern: 3,
        filters: [
          { ...risk("<=", 2), path: "policy.condition.filter[0]", before: 3, after: 2 },
          {
            attribute: "w.property.floor",
            operator: "=",
            value: 1,
            path: "policy.condition.filter[1]",
            before: 2,
            after: 2,
          },
          { ...risk(">", "$least"), path: "query.filter", before: 2, after: 1 },
        ],
      },
      statement: { rows: 1, database_hits: expect.any(Number), milliseconds: expect.any(Number) },
      statements: 1,
      database_hits: expect.any(Number),
      milliseconds: expect.any(Number),
    });
    expect(explanation.statement?.database_hits).toBeGreaterThan(5);
    expect(explanation.database_hits).toBeGreaterThan(5);
  });

  it("counts the rows of a page, of a page beyond the end too, and those of the match apart", async () => {
    const page = await why({}, ids, { pageSize: 2, pageToken: 2 });
    expect([page.outcome, page.statement?.rows, page.rows?.pattern]).toEqual(["rows", 1, 3]);
    const beyond = await why({}, ids, { pageSize: 2, pageToken: 8 });
    expect([beyond.outcome, beyond.statement?.rows, beyond.rows?.pattern]).toEqual(["rows", 0, 3]);
  });

  it("names the first filter that leaves no row, and of a branch what each leaf takes", async () => {
    const branch = {
      operator: "OR",
      operands: [risk("=", 1), { operator: "NOT", operands: [risk("<", 100)] }],
    };
    const explanation = await why(
      { filter: [branch] },
      { ...ids, filter: { operator: "AND", operands: [risk("<", 3), risk(">", 1)] } },
    );
    expect(explanation).toMatchObject({
      outcome: "filter_not_satisfied",
      filter: { ...risk(">", 1), path: "query.filter.operands[1]", certain: true },
      rows: {
        pattern: 3,
        filters: [
          {
            path: "policy.condition.filter[0]",
            operator: "OR",
            before: 3,
            after: 1,
            leaves: [
              { ...risk("=", 1), path: "policy.condition.filter[0].operands[0]", rows: 1 },
              { ...risk("<", 100), path: "policy.condition.filter[0].operands[1].operands[0]", rows: 3 },
            ],
          },
          { path: "query.filter.operands[0]", before: 1, after: 1 },
          { path: "query.filter.operands[1]", before: 1, after: 0 },
        ],
      },
    });
  });

  it("names the part of the pattern that matched nothing by its place in the policy's text", async () => {
    const text = `${cypher}\nWHERE w.property.floor > 0 AND w.property.floor > 7`;
    expect(await why({ cypher: text })).toMatchObject({
      outcome: "pattern_not_matched",
      part: {
        kind: "predicate",
        text: "w.property.floor > 7",
        from: { line: 2, column: 32 },
        to: { line: 2, column: 52 },
        certain: true,
      },
      statement: { rows: 0 },
    });
    expect(
      await why({ cypher: "MATCH (subject:Nurse)-[:LEADS]->(w:Ward)-[h:HOLDS]->(chart:Chart)" }),
    ).toMatchObject({
      outcome: "pattern_not_matched",
      part: { kind: "hop", text: "-[:LEADS]->(w:Ward)", from: { line: 1, column: 22 } },
    });
  });

  it("says when the subject is not in the graph", async () => {
    const explanation = await why({}, ids, { token: { sub: "nobody" } });
    expect(explanation).toMatchObject({ outcome: "pattern_not_matched", missing: ["subject"] });
    expect(explanation).not.toHaveProperty("part");
  });

  it("leaves refusals as they are", async () => {
    const filter = { filter: [risk("<=", "$max")] };
    expect(await here.refusal(policy(filter), ids, { explain: true })).toMatchObject({
      status: 422,
      errors: ["missing or wrong input params, 'max'"],
    });
    const demand = { token_filter: { attribute: "$token.level", operator: ">", value: 3 } };
    expect(await here.refusal(policy(demand), ids, { explain: true })).toMatchObject({ status: 401 });
  });
});

describe("the explanation of a query that writes", () => {
  const note = { name: "note", type: "Note", external_id: "note-1" };
  const query = {
    filter: risk("<", 5),
    upsert_nodes: [{ name: "chart", properties: [{ type: "seen", value: true }] }, note],
    upsert_relationships: [{ name: "about", source: "note", target: "chart", type: "ABOUT" }],
    delete_nodes: ["w.property.floor"],
    delete_relationships: ["h"],
    nodes: ["chart.property.seen"],
  };
  const written = [
    { list: "upsert_nodes", entry: "chart", elements: 2 },
    { list: "upsert_nodes", entry: "note", elements: 1 },
    { list: "upsert_relationships", entry: "about", elements: 2 },
    { list: "delete_relationships", entry: "h", elements: 2 },
    { list: "delete_nodes", entry: "w.property.floor", elements: 1 },
  ];

  it("explains the match as it was before the write, and counts what each entry wrote, once", async () => {
    const { data, explanation } = await here.ask(policy(), query, { explain: true });
    expect(data).toEqual([1, 2].map(() => ({ nodes: { "chart.property.seen": true } })));
    expect(explanation).toMatchObject({
      outcome: "rows",
      rows: { pattern: 3, filters: [{ path: "query.filter", before: 3, after: 2 }] },
      statement: { rows: 2 },
      written,
    });
    expect(await here.edges("Note/note-1", "ABOUT", "Chart/secret-c1")).toHaveLength(1);
    expect((await here.node("Ward/w1"))?.fields).not.toHaveProperty("floor");
    expect((await here.node("Ward/w2"))?.fields["floor"]).toBe(2);
    // The relationships are gone: the same question matches nothing any more, and says why.
    const again = await here.ask(policy(), query, { explain: true });
    expect(again.data).toEqual([]);
    expect(again.explanation).toMatchObject({
      outcome: "filter_not_satisfied",
      rows: { pattern: 1, filters: [{ before: 1, after: 0 }] },
      statement: { rows: 0 },
      written: written.map((each) => ({ ...each, elements: 0 })),
    });
  });

  it("leaves the graph as the same write without it does", async () => {
    const picture = async (explain: boolean): Promise<string> => {
      const { data } = await here.ask(policy(), query, { explain });
      const shown = await here.picture();
      await recreate();
      return `${JSON.stringify(data)}${shown.replaceAll(/gid:[\w-]+/g, "gid")}`;
    };
    expect(await picture(true)).toBe(await picture(false));
  });
});

describe("calls of external data resolvers", () => {
  it("are reported with outcome and time, each once for the whole page", async () => {
    const upstream = await startUpstream();
    const resolvers = openResolvers({
      egress: openEgress({ allowHttp: true, allowHosts: [], allowCidrs: ["127.0.0.0/8"] }),
      metrics: { gauge: () => ({ set: () => undefined }), histogram: () => ({ observe: () => undefined }) },
      log: { warn: () => undefined },
      timeoutMs: 2_000,
    });
    const resolver = (name: string, path: string): StoredResolver => ({
      id: `gid:${name}`,
      name,
      version: 1,
      url: `${upstream.url}/${path}`,
      method: "GET",
      headers: {},
      payload: undefined,
      selector: ".current",
    });
    await here.run(
      "MATCH (c:_Node) WHERE c._key STARTS WITH $charts SET c[$price] = 'prices', c[$state] = CASE c.risk WHEN 1 THEN 'ill' ELSE 'unknown' END",
      { charts: `${pk}/Chart/`, price: externalValueField("price"), state: externalValueField("state") },
    );
    const query = { nodes: ["chart.property.price", "chart.property.state"] };
    const external = { stored: [resolver("prices", "price"), resolver("ill", "html")], resolvers };
    const { data, errors, explanation } = await here.ask(policy(), query, { external, explain: true });
    expect(data.map(({ nodes }) => nodes["chart.property.price"])).toEqual([18400, 18400, 18400]);
    expect(errors).toHaveLength(3);
    const milliseconds: unknown = expect.any(Number);
    expect(explanation?.resolvers).toEqual([
      { resolver: "prices", outcome: "resolved", milliseconds },
      { resolver: "ill", outcome: "content_type_mismatch", milliseconds },
    ]);
    const without = await here.ask(policy(), ids, { external, explain: true });
    expect(without.explanation).not.toHaveProperty("resolvers");
    await resolvers.close();
    await upstream.close();
  });
});

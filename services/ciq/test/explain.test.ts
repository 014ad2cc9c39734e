import { describe, expect, it } from "@jest/globals";
import { useSecretCharts, here, cypher, policy, ids, risk, why, writingQuery } from "./secret-charts.ts";

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
  const written = [
    { list: "upsert_nodes", entry: "chart", elements: 2 },
    { list: "upsert_nodes", entry: "note", elements: 1 },
    { list: "upsert_relationships", entry: "about", elements: 2 },
    { list: "delete_relationships", entry: "h", elements: 2 },
    { list: "delete_nodes", entry: "w.property.floor", elements: 1 },
  ];

  it("explains the match as it was before the write, and counts what each entry wrote, once", async () => {
    const { data, explanation } = await here.ask(policy(), writingQuery, { explain: true });
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
    // The relationships are gone: the same question now matches nothing, and says why.
    const again = await here.ask(policy(), writingQuery, { explain: true });
    expect(again.data).toEqual([]);
    expect(again.explanation).toMatchObject({
      outcome: "filter_not_satisfied",
      rows: { pattern: 1, filters: [{ before: 1, after: 0 }] },
      statement: { rows: 0 },
      written: written.map((each) => ({ ...each, elements: 0 })),
    });
  });
});

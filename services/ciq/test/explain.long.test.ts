import { describe, expect, it } from "@jest/globals";
import type { StoredResolver } from "@ikg/catalog";
import { openEgress } from "@ikg/egress";
import { externalValueField } from "@ikg/physical";
import { openResolvers } from "../src/resolvers/resolve.ts";
import { startUpstream } from "./upstream.ts";
import {
  useSecretCharts,
  pk,
  here,
  policy,
  ids,
  risk,
  why,
  recreate,
  writingQuery,
} from "./secret-charts.ts";

useSecretCharts();

describe("the explanation of a query that reads", () => {
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

  it("names a hop that matched nothing", async () => {
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
});

describe("the explanation of a query that writes", () => {
  it("leaves the graph as the same write without it does", async () => {
    const picture = async (explain: boolean): Promise<string> => {
      const { data } = await here.ask(policy(), writingQuery, { explain });
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

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey, projectKey } from "@ikg/physical";
import { bindRow, compilePolicy } from "../../src/index.ts";
import type { KnowledgeQuery } from "../../src/query/index.ts";
import { pageOf, readStatement } from "../../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "../graph.ts";
import { dangersOf } from "../hostile/read-only.ts";
import { unguarded } from "../oracle/guard.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { accepted, constructs } from "../rules/constructs.ts";
import { realForms } from "../rules/real-forms.ts";
import { policyOf, versions } from "../rules/versions.ts";
import { queryOf } from "./film-queries.ts";

let graph: Graph;
let here: ProjectKey;

/** Values of every kind that can be stored, by the names of their properties. */
const values = {
  whole: 9_007_199_254_740_991,
  negative: -1,
  broken: 0.1,
  tiny: 5e-324,
  yes: true,
  no: false,
  text: "Zürich \u{1F600} 'quoted' `back` \\u0041",
  empty: "",
  texts: ["b", "a", "b"],
  numbers: [3, 1, 2],
  none: [],
  time: "2026-02-28T12:34:56.789Z",
};

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  here = freshKey();
  await writeGraph(
    graph,
    here,
    [
      { type: "Archivist", id: "a" },
      { type: "Film", id: "all", properties: values },
      ...[10, 9, 2.5, -1].map((year, index) => ({ type: "Film", id: `f${index}`, properties: { year } })),
    ],
    [["Archivist/a", "CARES_FOR", "Film/all", { since: "2020-01-01T00:00:00.000Z", weight: 1.5 }]],
  );
});
afterAll(async () => {
  await dropGraph(graph, here);
  await graph.close();
});

const read = async (query: KnowledgeQuery): Promise<readonly (readonly unknown[])[]> => {
  const { text } = readStatement(query, here);
  const row = {
    s: nodeKey(here, "Archivist", "a"),
    skip: 0,
    take: 100,
    ...bindRow(query.needs, { inputParams: {}, token: { sub: "a" } }),
  };
  return pageOf(await graph.shared.read(text, { __row: row }, options));
};

/** `_P__00000000` of the project that statements are tried for. */
const nowhere = "00000000";

describe("facts of the database", () => {
  it("every accepted form is printed with a label of its project at every node", () => {
    const forms = [
      ...constructs.flatMap(({ cypher, outcomes }) =>
        versions.flatMap((version) =>
          outcomes[version] === accepted ? [{ policy: policyOf(version, { cypher }), queries: [] }] : [],
        ),
      ),
      ...realForms.map(({ policy, query }) => ({ policy, queries: query === undefined ? [] : [query] })),
    ];
    expect(forms.length).toBeGreaterThan(100);
    const texts = forms.flatMap(({ policy, queries }) =>
      printedFor(
        JSON.stringify(policy),
        queries.map((query) => JSON.stringify(query)),
      ).statements.flatMap(({ text, writes }) => (writes ? [] : [text])),
    );
    const faults = [...new Set(texts)].flatMap((text) => unguarded(text, projectKey(nowhere)));
    expect(faults).toEqual([]);
  }, 60_000);

  it.each([
    [
      "\\u0027 in a string",
      "MATCH (subject), (resource) WHERE subject.property.a = 'x\\u0027 OR true //'",
      'escape "\\u"',
    ],
    ["\\u000a in a comment", "MATCH (subject), (resource) // \\u000a DELETE subject", 'escape "\\u"'],
    [
      "a Unicode dash",
      "MATCH (subject)\u2013[:NEXT]\u2013>(resource)",
      "only ASCII outside strings and back-quotes",
    ],
    ["s'…'", "MATCH (subject), (resource) WHERE s'a {subject.name}' = 'a'", "unexpected"],
    ["a clause in back-quotes", "MATCH (subject), (resource) `DELETE` subject", "unexpected"],
  ])("%s is refused", (_name, cypher, reason) => {
    const checked = compilePolicy(JSON.stringify(policyOf("2.0-kbac", { cypher })));
    expect(checked.ok ? "" : checked.faults.join("; ")).toContain(reason);
  });

  it.each([
    ["(WHERE true)", "MATCH (subject), (resource) WHERE EXISTS { (WHERE true) }"],
    ["(a:(A|B)WHERE …)", "MATCH (subject), (resource), (a:(Film|Reel)WHERE true)"],
    ["a back-quoted name", "MATCH (subject), (resource), (`match`:`Film`) WHERE `match`.property.a = 1"],
    [
      "a variable called property",
      "MATCH (subject)-->(property)-->(resource) WHERE property.property.property = 1",
    ],
    ["a comment holding clauses", "MATCH (subject), (resource) /* DETACH DELETE subject */"],
  ])("%s is read as what it is, and stays in the project", (_name, cypher) => {
    const { statements, faults } = printedFor(JSON.stringify(policyOf("2.0-kbac", { cypher })));
    expect(faults).toEqual([]);
    for (const { text } of statements) expect(dangersOf(text, nowhere)).toEqual([]);
  });

  it("a write clause past the reader is refused by the server in READ mode", async () => {
    const write = graph.shared.read(
      `CREATE (n:_P__${here}:_Node {_key: '${here}/Film/x'}) RETURN n`,
      {},
      options,
    );
    const refused: unknown = await write.then(
      () => undefined,
      (error: unknown) => error,
    );
    const codes = [refused, (refused as { cause?: unknown } | undefined)?.cause].map(
      (error) => (error as { code?: unknown } | undefined)?.code,
    );
    expect(codes).toContain("Neo.ClientError.Statement.AccessMode");
    const [found] = await graph.shared.read(`MATCH (n:_P__${here}) RETURN count(n) AS n`, {}, options);
    expect(found).toEqual({ n: 6 });
  });

  it("values of every kind come back as they were written", async () => {
    const names = Object.keys(values);
    const query = queryOf("MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)", {
      nodes: names.map((name) => `film.property.${name}`),
      relationships: ["care.since", "care.weight"],
    });
    expect(await read(query)).toEqual([[...Object.values(values), "2020-01-01T00:00:00.000Z", 1.5]]);
  });

  it("numbers, whole and broken, keep their order", async () => {
    const query = queryOf(
      "MATCH (subject:Archivist), (film:Film) WHERE film.property.year < 9.5 WITH subject, film ORDER BY film.property.year WITH subject, collect(film.property.year) AS years",
      { aggregate_values: ["years"] },
      { allowed_reads: { aggregate_values: ["years"] } },
    );
    expect(await read(query)).toEqual([[[-1, 2.5, 9]]]);
  });
});

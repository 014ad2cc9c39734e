import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey, projectKey } from "@ikg/physical";
import type { Driver, Plan } from "neo4j-driver";
import { bindRow, compileCiq, compilePolicy } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import { pageOf, readStatement, writeStatements } from "../../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "../graph.ts";
import { dangersOf } from "../hostile/read-only.ts";
import { unguarded } from "../oracle/guard.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { openProfiler } from "../work/hits.ts";
import { accepted, constructs } from "../rules/constructs.ts";
import { realForms } from "../rules/real-forms.ts";
import { policyOf, versions } from "../rules/versions.ts";

let graph: Graph;
let driver: Driver;
let here: ProjectKey;
/** Another project with so many nodes that the planner knows what a scan costs. */
let crowd: ProjectKey;

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
  driver = openProfiler();
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
  crowd = freshKey();
  await writeGraph(
    graph,
    crowd,
    Array.from({ length: 2_000 }, (_, at) => ({ type: "Person", id: `p${at}` })),
    [],
  );
  await driver.executeQuery("CALL db.prepareForReplanning(60)");
});
afterAll(async () => {
  await dropGraph(graph, here);
  await dropGraph(graph, crowd);
  await driver.close();
  await graph.close();
});

const queryOf = (cypher: string, json: object, more: object = {}): KnowledgeQuery => {
  const policy = compileCiq(
    JSON.stringify(
      policyOf(
        "1.0-ciq",
        { cypher },
        { allowed_reads: { nodes: ["film.*"], relationships: ["care"] }, ...more },
      ),
    ),
  );
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const checked = compileQuery(JSON.stringify(json), policy.value);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

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

const operators = (plan: Plan): readonly string[] => [
  plan.operatorType.replace(/@.*/, ""),
  ...plan.children.flatMap(operators),
];

const planOf = async (text: string): Promise<readonly string[]> => {
  const session = driver.session({ database: "neo4j" });
  try {
    const { summary } = await session.run(`EXPLAIN ${text}`, { rows: [], keys: [], ids: [], __row: {} });
    return summary.plan === false ? [] : operators(summary.plan);
  } finally {
    await session.close();
  }
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

  it.each([
    ["a decision", "MATCH (subject)-[:CARES_FOR]->(resource)", 0, 2],
    ["a search for resources", "MATCH (subject)-[:CARES_FOR]->(resource)", 1, 1],
    ["a search for subjects", "MATCH (subject)-[:CARES_FOR]->(resource)", 2, 1],
    [
      "a decision by a chain",
      "MATCH (subject)-[:KEEPS]->(:Vault)-[:HOLDS]->(:Reel)<-[:IS_ON]-(resource)",
      0,
      2,
    ],
  ])("%s seeks the ends by the unique index and scans nothing", async (_name, cypher, index, seeks) => {
    const { statements } = printedFor(JSON.stringify(policyOf("2.0-kbac", { cypher })));
    const plan = await planOf(statements[index]?.text ?? "");
    expect({ plan, seeks: plan.filter((each) => each === "NodeUniqueIndexSeek").length }).toEqual({
      plan,
      seeks,
    });
    expect(plan.filter((each) => /Scan/.test(each))).toEqual([]);
    // A product of two ends that are both pinned has one row.
    expect(plan.filter((each) => each === "CartesianProduct").length).toBeLessThan(seeks);
  });

  it("the upserts of a query seek by the unique index and scan nothing", async () => {
    const query = queryOf(
      "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)",
      {
        upsert_nodes: [
          { name: "film", properties: [{ type: "state", value: 1 }] },
          { name: "note", type: "Note", external_id: "$note" },
        ],
        upsert_relationships: [{ name: "about", type: "ABOUT", source: "note", target: "film" }],
      },
      {
        allowed_upserts: {
          nodes: { existing_nodes: ["film"], node_types: ["Note"] },
          relationships: {
            relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Film" }],
          },
        },
      },
    );
    const steps = writeStatements(query, projectKey(nowhere));
    const texts = [...(steps?.nodes ?? []), ...(steps?.relationships ?? [])];
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const plan = await planOf(text);
      expect({ text, plan }).toEqual({
        text,
        plan: expect.arrayContaining([
          expect.stringMatching(/UniqueIndexSeek|MergeUniqueNode|MultiNodeIndexSeek/),
        ]),
      });
      expect(plan.filter((each) => /Scan/.test(each))).toEqual([]);
    }
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

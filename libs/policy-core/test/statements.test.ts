import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey, quoteName, typeLabel } from "@ikg/physical";
import { bindRow, compileCiq, type Inputs, type KbacPolicy } from "../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../src/query/index.ts";
import { isBatchable, type Page, pageOf, readStatement } from "../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "./graph.ts";
import {
  type Asks,
  askIn,
  chartPolicy,
  charts,
  hospitalEdges,
  hospitalNodes,
  inputs,
  otherEdges,
  otherNodes,
} from "./hospital.ts";
import { inLongRun, isLong } from "./runs.ts";

let graph: Graph;
let here: ProjectKey;
let there: ProjectKey;
let decide: Asks["decide"];
let search: Asks["search"];

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  [here, there] = [freshKey(), freshKey()];
  await writeGraph(graph, here, hospitalNodes, hospitalEdges);
  await writeGraph(graph, there, otherNodes, otherEdges);
  ({ decide, search } = askIn(graph, here));
});

afterAll(async () => {
  await dropGraph(graph, here);
  await dropGraph(graph, there);
  await graph.close();
});

const onWard = "MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(resource)";

/** [condition, inputs, who may sign which charts] */
const core: readonly (readonly [string, Inputs, Readonly<Record<string, readonly string[]>>])[] = [
  [onWard, inputs(), { n1: ["c1", "c2", "c3"], n2: ["c3"] }],
  [
    `${onWard} WHERE resource.property.risk <= $max`,
    inputs({ inputParams: { max: 1 } }),
    { n1: ["c1"], n2: [] },
  ],
  [
    `${onWard} WHERE resource.property.risk <= $max`,
    inputs({ inputParams: { max: "1" } }),
    { n1: [], n2: [] },
  ],
  [
    "MATCH (subject:Nurse {external_id: $token.sub}), (resource)",
    inputs({ token: { sub: "n2" } }),
    { n1: [], n2: ["c1", "c2", "c3"] },
  ],
  [
    "MATCH (subject), (resource) WHERE $token.act.sub = 'x'",
    inputs({ token: { act: "no object" } }),
    { n1: [], n2: [] },
  ],
  [
    "MATCH (subject)-[:ON]->(w:Ward) WITH subject, count(w) AS n MATCH (w2)-[:HOLDS]->(resource) WHERE n >= $n",
    inputs({ inputParams: { n: 2 } }),
    { n1: ["c1", "c2", "c3"], n2: [] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) WITH subject, w ORDER BY w.external_id LIMIT $n MATCH (w)-[:HOLDS]->(resource)",
    inputs({ inputParams: { n: 1 } }),
    { n1: ["c1", "c2"], n2: ["c3"] },
  ],
  [
    "MATCH (subject), (resource) WHERE EXISTS { (subject)-[:ON]->(x)-[:HOLDS]->(resource) WHERE x.property.name = $ward }",
    inputs({ inputParams: { ward: "East" } }),
    { n1: ["c1", "c2"], n2: [] },
  ],
  [
    "MATCH (subject), (resource) WHERE NOT (subject)-[:SIGNED]->(resource) AND (subject)-[:ON]->()-[:HOLDS]->(resource)",
    inputs(),
    { n1: ["c1", "c2", "c3"], n2: [] },
  ],
  ["MATCH (subject), (resource), (other) WHERE other.property.risk = 0", inputs(), { n1: [], n2: [] }],
  [
    "UNWIND $ids AS id MATCH (resource:Chart {external_id: id}), (subject)",
    inputs({ inputParams: { ids: ["c2", "c9"] } }),
    { n1: ["c2"], n2: ["c2"] },
  ],
  [
    "MATCH (subject), (resource) WHERE $resource_external_id = 'c1' OR $request.context.all",
    inputs({ request: { context: { all: true } } }),
    { n1: ["c1", "c2", "c3"], n2: ["c1", "c2", "c3"] },
  ],
];

const more: typeof core = [
  [
    "MATCH p = (subject)-[:ON|HOLDS*1..4]->(resource) WHERE length(p) = 2 AND nodes(p)[1].property.name = 'West'",
    inputs(),
    { n1: ["c3"], n2: ["c3"] },
  ],
  [
    "MATCH (subject) OPTIONAL MATCH (subject)-[s:SIGNED]->(c) MATCH (resource) WHERE s.shift = 'night' AND c.external_id = resource.external_id",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) WITH subject, count(w) + $n AS n MATCH (resource) WHERE n = 3",
    inputs({ inputParams: { n: 1 } }),
    { n1: ["c1", "c2", "c3"], n2: [] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) WITH DISTINCT subject, w ORDER BY w.external_id DESC LIMIT 1 MATCH (w)-[:HOLDS]->(resource)",
    inputs(),
    { n1: ["c3"], n2: ["c3"] },
  ],
  ["MATCH (subject), (resource) WHERE COUNT { (subject)--(x) } > 2", inputs(), { n1: [], n2: [] }],
  [
    "MATCH (subject), (resource) WHERE size([(resource)<-[h:HOLDS]-(x) WHERE h.since > 2020 | x.external_id]) = 1",
    inputs(),
    { n1: ["c2", "c3"], n2: ["c2", "c3"] },
  ],
  [
    "MATCH (subject)-[rels*..3]->(resource) WHERE ALL(r IN rels WHERE type(r) <> 'SIGNED') AND ANY(r IN rels WHERE endNode(r):Chart AND endNode(r).property.risk < 3)",
    inputs(),
    { n1: ["c1", "c3"], n2: ["c3"] },
  ],
  [
    "MATCH (subject)-[*]-(resource) WHERE resource.property.title = 'One'",
    inputs(),
    { n1: ["c1"], n2: ["c1"] },
  ],
  ["MATCH (subject)-[:ON]->(x:!Ward|Ward)-->(resource)", inputs(), { n1: ["c1", "c2", "c3"], n2: ["c3"] }],
  ["MATCH (subject), (resource), (other:!Nurse) WHERE other.property.risk = 0", inputs(), { n1: [], n2: [] }],
  [
    "MATCH (subject), (resource) WHERE COUNT { (x:%) WHERE x.property.risk IS NOT NULL } = 3",
    inputs(),
    { n1: ["c1", "c2", "c3"], n2: ["c1", "c2", "c3"] },
  ],
  [
    "MATCH (subject), (resource) WHERE resource.external_id IN [x IN subject.property.assigned WHERE x <> 'c3']",
    inputs(),
    { n1: ["c1"], n2: [] },
  ],
  [
    "MATCH (subject), (resource) WHERE reduce(total = 0, x IN [1, 2] | total + x) = resource.property.risk + 1",
    inputs(),
    { n1: ["c3"], n2: ["c3"] },
  ],
  [
    "MATCH (subject), (resource) WHERE 1 < resource.property.risk <= 2 OR CASE WHEN resource.property.type = 'note' THEN true END",
    inputs(),
    { n1: ["c1", "c3"], n2: ["c1", "c3"] },
  ],
];

describe("decisions and searches on the database", () => {
  /** `npm test` decides every other case in rows, where it can be, and decides and searches the others one by one. */
  const cases = [...core, ...inLongRun(more)].map((each, number) => [...each, number] as const);

  it.each(cases)("%s", async (condition, given, expected, number) => {
    const policy = chartPolicy(condition);
    const inRows = isBatchable(policy) && (isLong() || number % 2 === 0);
    const decisions = async (form: "row" | "plain"): Promise<void> => {
      for (const [subject, granted] of Object.entries(expected))
        for (const chart of charts)
          expect(await decide([policy], subject, chart, given, form)).toBe(granted.includes(chart) ? 0 : -1);
    };
    const searches = async (): Promise<void> => {
      for (const [subject, granted] of Object.entries(expected))
        expect(await search(policy, "resource", subject, given)).toEqual(granted);
    };
    // Each is another statement, which the database plans while it answers the others.
    await Promise.all([
      ...(isLong() || !inRows ? [decisions("plain")] : []),
      ...(inRows ? [decisions("row")] : []),
      ...(isLong() || number % 2 === 1 ? [searches()] : []),
    ]);
  });

  it("tells which of several candidates granted", async () => {
    const never = chartPolicy("MATCH (subject), (resource) WHERE false");
    const signed = chartPolicy("MATCH (subject)-[:SIGNED]->(resource)");
    const counted = chartPolicy(
      "MATCH (subject)-[:ON]->(w) WITH subject, count(w) AS n WHERE n = 2 MATCH (resource)",
    );
    expect(await decide([never, signed, counted], "n2", "c3")).toBe(1);
    expect(await decide([never, signed, counted], "n1", "c3")).toBe(2);
    expect(await decide([never, signed, counted], "n2", "c1")).toBe(-1);
    expect(await decide([never, signed], "n1", "nobody")).toBe(-1);
  });

  it("finds no subject of another tenant", async () => {
    expect(await decide([chartPolicy("MATCH (subject), (resource)")], "n1", "c9")).toBe(-1);
    expect(await search(chartPolicy("MATCH (subject), (resource)"), "resource", "n1")).toEqual([
      "c1",
      "c2",
      "c3",
    ]);
  });
});

describe("searches where nodes of another type have the label of the type", () => {
  let pk: ProjectKey;

  beforeAll(async () => {
    pk = freshKey();
    const nodes = [
      { type: "Nurse", id: "n1" },
      { type: "Robot", id: "r1" },
      { type: "Chart", id: "c1" },
      { type: "Note", id: "x1" },
    ];
    await writeGraph(graph, pk, nodes, [
      ["Nurse/n1", "SIGNED", "Chart/c1"],
      ["Nurse/n1", "SIGNED", "Note/x1"],
      ["Robot/r1", "SIGNED", "Chart/c1"],
    ]);
    await graph.shared.write(async (tx) => {
      for (const [type, id, label] of [
        ["Robot", "r1", "Nurse"],
        ["Note", "x1", "Chart"],
      ] as const)
        await tx.run(`MATCH (n:_Node {_key: $key}) SET n:${quoteName(typeLabel(label, pk))}`, {
          key: nodeKey(pk, type, id),
        });
    }, options);
  });
  afterAll(() => dropGraph(graph, pk));

  it.each<[string, KbacPolicy]>([
    ["one statement", chartPolicy("MATCH (subject)-[:SIGNED]->(resource)")],
    ...inLongRun<[string, KbacPolicy]>([
      [
        "a statement that tries each node",
        chartPolicy(
          "MATCH (subject)-[:SIGNED]->(resource) CALL { MATCH (subject)-[:SIGNED]->(resource) RETURN count(*) AS n } WITH subject, resource, n WHERE n > 0",
          "3.0-kbac",
        ),
      ],
    ]),
  ])("find what an evaluation grants, by %s", async (_, policy) => {
    const own = askIn(graph, pk);
    expect(await own.decide([policy], "n1", "x1")).toBe(-1);
    expect(await own.decide([policy], "r1", "c1")).toBe(-1);
    expect(await own.search(policy, "resource", "n1")).toEqual(["c1"]);
    expect(await own.search(policy, "subject", "c1")).toEqual(["n1"]);
  });
});

const readable = { nodes: ["chart.*", "w.property.name", "subject.external_id"], relationships: ["h"] };

const query = (
  condition: Record<string, unknown>,
  json: unknown,
  reads: unknown = readable,
): KnowledgeQuery => {
  const policy = compileCiq(
    JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition,
      allowed_reads: reads,
    }),
  );
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const checked = compileQuery(JSON.stringify(json), policy.value);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const wards = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const mine = [{ attribute: "subject.external_id", operator: "=", value: "$token.sub" }];

const read = async (
  knowledge: KnowledgeQuery,
  given: Inputs,
  page: { skip: number; take: number } = { skip: 0, take: 100 },
): Promise<Page> => {
  const { text } = readStatement(knowledge, here);
  const row = { s: nodeKey(here, "Nurse", "n1"), ...page, ...bindRow(knowledge.needs, given) };
  return pageOf(await graph.shared.read(text, { __row: row }, options));
};

const ada = inputs({ token: { sub: "n1" } });

describe("reading queries on the database", () => {
  it("project values in a total order", async () => {
    const knowledge = query(
      { cypher: wards, filter: mine },
      {
        nodes: ["chart.external_id", "chart.property.title", "w.property.name"],
        relationships: ["h.since", "h.type"],
      },
    );
    expect(await read(knowledge, ada)).toEqual([
      ["c1", "One", "East", 2020, "HOLDS"],
      ["c2", "Two", "East", 2021, "HOLDS"],
      ["c3", null, "West", 2022, "HOLDS"],
    ]);
  });

  it("pin the subject of the token where the policy leaves it open", async () => {
    const knowledge = query({ cypher: wards }, { nodes: ["subject.external_id", "chart.external_id"] });
    expect(await read(knowledge, ada)).toEqual([
      ["n1", "c1"],
      ["n1", "c2"],
      ["n1", "c3"],
    ]);
  });

  const leaves: readonly (readonly [object, readonly string[]])[] = [
    [{ attribute: "chart.external_id", operator: "IN", value: "@subject.property.assigned" }, ["c1", "c3"]],
    [{ attribute: "chart.trust_score._final_score", operator: ">", value: 0 }, []],
    [{ attribute: "$token.level", operator: "=", value: 1 }, []],
    [
      { operator: "NOT", operands: [{ attribute: "chart.property.title", operator: "=", value: "One" }] },
      ["c2"],
    ],
    ...inLongRun<readonly [object, readonly string[]]>([
      [{ attribute: "chart.property.risk", operator: ">", value: "$risk" }, ["c2", "c3"]],
      [{ attribute: "chart.property.risk", operator: "<", value: "@subject.property.level" }, ["c1", "c3"]],
      [{ attribute: "chart.external_id", operator: "=", value: "$id" }, ["c2"]],
      [{ attribute: "h.since", operator: ">=", value: 2021 }, ["c2", "c3"]],
      [
        {
          operator: "OR",
          operands: [
            { attribute: "chart.external_id", operator: "=", value: "c1" },
            { attribute: "chart.property.title", operator: "IS NULL" },
          ],
        },
        ["c1", "c3"],
      ],
    ]),
  ];

  it.each(leaves)("keep the rows that pass %j", async (leaf, expected) => {
    const knowledge = query({ cypher: wards, filter: [...mine, leaf] }, { nodes: ["chart.external_id"] });
    const rows = await read(knowledge, inputs({ token: { sub: "n1" }, inputParams: { risk: 1, id: "c2" } }));
    expect(rows.map(([id]) => id)).toEqual(expected);
  });

  it("give pages that join to the whole, without doubles or holes", async () => {
    const cypher = "MATCH (subject:Nurse)-[:ON]->(:Ward)--(chart:Chart)";
    const knowledge = query({ cypher }, { nodes: ["chart.external_id"] }, { nodes: ["chart"] });
    const whole = await read(knowledge, ada);
    const pages = [];
    for (let skip = 0; skip < 4; skip++) pages.push(...(await read(knowledge, ada, { skip, take: 1 })));
    expect(pages).toEqual(whole);
  });

  it("return nothing of another tenant", async () => {
    const knowledge = query(
      { cypher: "MATCH (subject:Nurse) MATCH (chart) WHERE chart.property.risk IS NOT NULL" },
      { nodes: ["chart.external_id"] },
      { nodes: ["chart"] },
    );
    expect(await read(knowledge, ada)).toEqual([["c1"], ["c2"], ["c3"]]);
  });

  it("read and filter on what a WITH bound", async () => {
    const cypher = `${wards} WITH subject, w, count(chart) AS n, collect(chart.external_id) AS ids`;
    const filter = [
      { attribute: "n", operator: ">", value: 1 },
      { attribute: "ids", operator: "CONTAINS", value: "c1" },
    ];
    const reads = { nodes: ["w.external_id"], aggregate_values: ["n", "ids"] };
    const json = { nodes: ["w.external_id"], aggregate_values: ["n", "ids"] };
    const rows = await read(query({ cypher, filter }, json, reads), ada);
    expect(rows).toEqual([["w1", 2, expect.arrayContaining(["c1", "c2"])]]);
    const never = { attribute: "n", operator: "CONTAINS", value: "c1" };
    expect(await read(query({ cypher, filter: [never] }, json, reads), ada)).toEqual([]);
  });

  it("take literals of any kind in any operator", async () => {
    const leaf = (operator: string, value: unknown): object => ({
      attribute: "chart.property.title",
      operator,
      value,
    });
    const readWith = (filter: object): Promise<unknown> =>
      read(query({ cypher: wards, filter: [...mine, filter] }, { nodes: ["chart.external_id"] }), ada);
    // In one statement, which is planned once: one for each operator, of another kind than the attribute.
    const operands = [leaf("CONTAINS", 5), leaf("ENDS WITH", true), leaf("<", 1.5), leaf("<>", true)];
    await readWith({ operator: "OR", operands });
    const readEach = async (operator: string): Promise<void> => {
      for (const value of [5, 1.5, "x", ...(operator === "<" ? [] : [true])])
        await readWith(leaf(operator, value));
    };
    await Promise.all(inLongRun(["CONTAINS", "STARTS WITH", "ENDS WITH", "<", "=", "<>"]).map(readEach));
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { projectKey, type ProjectKey } from "@ikg/physical";
import type { Inputs } from "../src/index.ts";
import { compositeDecideStatement, compositeSearchStatement, isBatchable } from "../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, writeGraph } from "./graph.ts";
import {
  askIn,
  chartPolicy,
  charts,
  hospitalEdges,
  hospitalNodes,
  inputs,
  nurses,
  otherEdges,
  otherNodes,
} from "./hospital.ts";
import { inLongRun, isLong } from "./runs.ts";

let graph: Graph;
let here: ProjectKey;
let there: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  [here, there] = [freshKey(), freshKey()];
  await writeGraph(graph, here, hospitalNodes, hospitalEdges);
  await writeGraph(graph, there, otherNodes, otherEdges);
});

afterAll(async () => {
  await dropGraph(graph, here);
  await dropGraph(graph, there);
  await graph.close();
});

const onWard = "MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(resource)";
const everything = { n1: charts, n2: charts };
/** Services ask for decisions in rows; the long run asks for them one by one as well. */
const forms = ["row", ...inLongRun(["plain"] as const)] as const;

/** [condition of a 3.0-kbac policy, inputs, who may sign which charts] */
const core: readonly (readonly [string, Inputs, Readonly<Record<string, readonly string[]>>])[] = [
  [`CALL { ${onWard} RETURN subject, resource }`, inputs(), { n1: charts, n2: ["c3"] }],
  [
    "MATCH (subject)-[:ON]->(w) CALL { WITH w MATCH (w)-[:HOLDS]->(resource) RETURN resource }",
    inputs(),
    { n1: charts, n2: ["c3"] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) CALL (w) { MATCH (w)-[:HOLDS]->(resource) WHERE resource.property.risk <= $max RETURN resource }",
    inputs({ inputParams: { max: 2 } }),
    { n1: ["c1", "c3"], n2: ["c3"] },
  ],
  [
    `${onWard} CALL (*) { MATCH (other:Nurse) WHERE other <> subject RETURN other } WITH * WHERE (other)-[:SIGNED]->(resource)`,
    inputs(),
    { n1: ["c3"], n2: [] },
  ],
  // A subquery that imports nothing has a subject of its own, pinned to the same node.
  [
    "MATCH (subject), (resource) CALL () { MATCH (subject)-[:SIGNED]->(c) RETURN c.external_id AS signed } WITH * WHERE signed = resource.external_id",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) CALL () { MATCH (subject)-[:SIGNED]->(c) RETURN c.external_id AS signed } MATCH (w)-[:HOLDS]->(resource) WHERE signed = resource.external_id AND (subject)-[:SIGNED]->(resource)",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "MATCH (subject)-[:ON]->(w) CALL (w) { MATCH (w)-[:HOLDS]->(resource) RETURN resource.external_id AS held } MATCH (subject)-[:SIGNED]->(resource) WHERE held = resource.external_id",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "MATCH (subject), (resource) WHERE EXISTS { CALL (subject) { MATCH (subject)-[:SIGNED]->(c) RETURN c } WITH c WHERE c = resource }",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    `CALL () { USE graph.byName('hospital.db1') ${onWard} RETURN subject, resource }`,
    inputs(),
    { n1: charts, n2: ["c3"] },
  ],
];

const more: typeof core = [
  [
    "CALL () { CALL () { MATCH (subject)-[:ON]->(w) RETURN subject, w.external_id AS ward } WITH subject, ward MATCH (v:Ward)-[:HOLDS]->(resource) WHERE v.external_id = ward RETURN subject, resource } WITH subject, resource",
    inputs(),
    { n1: charts, n2: ["c3"] },
  ],
  [
    `${onWard} CALL (subject) { MATCH (subject)-[:ON]->(w) RETURN count(w) AS wards } WITH subject, resource, wards WHERE wards >= $n`,
    inputs({ inputParams: { n: 2 } }),
    { n1: charts, n2: [] },
  ],
  [
    `${onWard} CALL (subject) { MATCH (subject)-[:ON]->(w) RETURN w ORDER BY w.external_id LIMIT $n } WITH * WHERE (w)-[:HOLDS]->(resource)`,
    inputs({ inputParams: { n: 1 } }),
    { n1: ["c1", "c2"], n2: ["c3"] },
  ],
  [`CALL () { ${onWard} RETURN subject, resource }`, inputs(), { n1: charts, n2: ["c3"] }],
  [`CALL () { ${onWard} RETURN * }`, inputs(), { n1: charts, n2: ["c3"] }],
  [
    `${onWard} CALL { WITH subject MATCH (subject)-[:ON]->(w) RETURN max(w.property.name) AS last } WITH * WHERE last = 'West'`,
    inputs(),
    { n1: charts, n2: ["c3"] },
  ],
  [
    "MATCH (resource) WHERE EXISTS { (subject)-[:SIGNED]->(resource) } MATCH (subject)-[:ON]->(w)",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "CALL () { MATCH (subject)-[:SIGNED]->(c) RETURN c } CALL () { MATCH (subject)-[:ON]->() RETURN DISTINCT subject } MATCH (resource) WHERE resource = c",
    inputs(),
    { n1: [], n2: ["c3"] },
  ],
  [
    "CALL () { MATCH (subject) RETURN subject } CALL () { MATCH (resource) WHERE resource.property.risk > 1 RETURN resource }",
    inputs(),
    { n1: ["c2", "c3"], n2: ["c2", "c3"] },
  ],
  [
    "MATCH (subject), (resource) CALL { WITH 1 AS one UNWIND [one, 2] AS x RETURN x } WITH subject, resource, sum(x) AS s WHERE s = 3",
    inputs(),
    everything,
  ],
  // USE is left out where the whole text runs in one database.
  [`USE graph.byName($ward) ${onWard}`, inputs(), { n1: charts, n2: ["c3"] }],
];

describe("CALL of 3.0-kbac", () => {
  /** `npm test` decides each case in one form, and searches every other one from one end, by turns. */
  const rows = [...core, ...inLongRun(more)].map((each, number) => [...each, number] as const);

  it.each(rows)("%s", async (cypher, given, expected, number) => {
    const policy = chartPolicy(cypher, "3.0-kbac");
    const inRows = isBatchable(policy) && (isLong() || number % 4 < 2);
    const { decide, search } = askIn(graph, here);
    const decisions = async (form: "row" | "plain"): Promise<void> => {
      for (const nurse of nurses) {
        const granted = expected[nurse] ?? [];
        for (const chart of [...charts, "c9"])
          expect(await decide([policy], nurse, chart, given, form)).toBe(granted.includes(chart) ? 0 : -1);
      }
    };
    const resources = async (): Promise<void> => {
      for (const nurse of nurses)
        expect(await search(policy, "resource", nurse, given)).toEqual(expected[nurse] ?? []);
    };
    const subjects = async (): Promise<void> => {
      for (const chart of charts) {
        const who = nurses.filter((nurse) => expected[nurse]?.includes(chart));
        expect(await search(policy, "subject", chart, given)).toEqual(who);
      }
    };
    // Each is another statement, which the database plans while it answers the others.
    await Promise.all([
      ...(isLong() || !inRows ? [decisions("plain")] : []),
      ...(inRows ? [decisions("row")] : []),
      ...(isLong() || number % 4 === 0 ? [resources()] : []),
      ...(isLong() || number % 4 === 3 ? [subjects()] : []),
    ]);
  });

  it("stands beside other candidates in one statement, which tells which granted", async () => {
    const policies = [
      chartPolicy("MATCH (subject)-[:SIGNED]->(resource)"),
      chartPolicy(`CALL () { ${onWard} RETURN subject, resource }`, "3.0-kbac"),
      chartPolicy("MATCH (subject), (resource) WITH subject, resource, count(*) AS n WHERE n = 1"),
    ];
    const { decide } = askIn(graph, here);
    expect(await decide(policies, "n2", "c3")).toBe(0);
    expect(await decide(policies, "n1", "c1")).toBe(1);
    expect(await decide(policies, "n2", "c1")).toBe(2);
    expect(await decide(policies, "n2", "c9")).toBe(-1);
  });
});

describe("a search", () => {
  it("goes on after a cursor, and its pages make the whole", async () => {
    const { search } = askIn(graph, here);
    const all = chartPolicy("MATCH (subject), (resource)");
    expect(await search(all, "resource", "n1", inputs(), { after: "", limit: 2 })).toEqual(["c1", "c2"]);
    expect(await search(all, "resource", "n1", inputs(), { after: "c2", limit: 2 })).toEqual(["c3"]);
    expect(await search(all, "subject", "c1", inputs(), { after: "n1", limit: 2 })).toEqual(["n2"]);
    expect(await search(all, "subject", "none", inputs())).toEqual([]);
  });
});

describe("a WITH before an end is bound", () => {
  it.each([
    "MATCH (w:Ward) WITH w MATCH (subject)-[:ON]->(w)-[:HOLDS]->(resource)",
    ...inLongRun([
      "MATCH (w:Ward) WITH count(w) AS n MATCH (subject)-[:ON]->()-[:HOLDS]->(resource)",
      "UNWIND [1] AS one WITH one MATCH (resource)<-[:HOLDS]-()<-[:ON]-(subject)",
    ]),
  ])("drops no pin: %s", async (cypher) => {
    const policy = chartPolicy(cypher);
    const { decide, search } = askIn(graph, here);
    for (const form of forms) {
      expect(await decide([policy], "n1", "c1", inputs(), form)).toBe(0);
      expect(await decide([policy], "n2", "c1", inputs(), form)).toBe(-1);
    }
    expect(await search(policy, "resource", "n1")).toEqual(charts);
    expect(await search(policy, "resource", "n2")).toEqual(["c3"]);
    expect(await search(policy, "subject", "c1")).toEqual(["n1"]);
    expect(await search(policy, "subject", "c3")).toEqual(["n1", "n2"]);
  });
});

describe("the identity switch", () => {
  it("lets only identity nodes be subjects of 2.0, and changes nothing for 3.0", async () => {
    const pk = freshKey();
    const person = { type: "Nurse", id: "n1" };
    await writeGraph(
      graph,
      pk,
      [person, { type: "Nurse", id: "n2" }, { type: "Chart", id: "c1" }],
      [
        ["Nurse/n1", "READS", "Chart/c1"],
        ["Nurse/n2", "READS", "Chart/c1"],
      ],
    );
    const { decide, search } = askIn(graph, pk);
    await graph.shared.write(
      (tx) => tx.run("MATCH (n:_Node {_key: $key}) SET n.is_identity = true", { key: `${pk}/Nurse/n1` }),
      { timeoutMs: 80_000 },
    );
    try {
      for (const cypher of [
        "MATCH (subject)-[r:READS]->(resource) WITH subject, resource, count(r) AS n",
        ...inLongRun(["MATCH (subject)-[:READS]->(resource)"]),
      ]) {
        const policy = chartPolicy(cypher);
        for (const form of forms) {
          expect(await decide([policy], "n1", "c1", inputs(), form, true)).toBe(0);
          expect(await decide([policy], "n2", "c1", inputs(), form, true)).toBe(-1);
          expect(await decide([policy], "n2", "c1", inputs(), form)).toBe(0);
          expect(await decide([chartPolicy(cypher, "3.0-kbac")], "n2", "c1", inputs(), form, true)).toBe(0);
        }
        const all = { after: "", limit: 9 };
        expect(await search(policy, "resource", "n2", inputs(), all, true)).toEqual([]);
        expect(await search(policy, "resource", "n1", inputs(), all, true)).toEqual(["c1"]);
        expect(await search(policy, "subject", "c1", inputs(), all, true)).toEqual(["n1"]);
      }
    } finally {
      await dropGraph(graph, pk);
    }
  });
});

describe("a text for a composite database", () => {
  const pk = projectKey("p1234567");
  it("keeps USE with the graph's name as a parameter, and pins where the text binds", () => {
    const policy = chartPolicy(`USE graph.byName($ward) ${onWard}`, "3.0-kbac");
    const text = compositeDecideStatement(policy, pk);
    expect(text).toBe(
      [
        "USE graph.byName($__row.g.ward)",
        "MATCH (subject:Nurse__p1234567&_Node {_key: $__row.s})-[:ON]->(:Ward__p1234567)-[:HOLDS]->(resource:Chart__p1234567&_Node {_key: $__row.r})",
        "WITH * WHERE subject IS NOT NULL AND resource IS NOT NULL",
        "RETURN 0 AS granted_by LIMIT 1",
      ].join("\n"),
    );
  });
  it("searches by the id that the routed part hands out, through nested calls and a WITH", () => {
    const inner = `CALL () { USE graph.byName($a) ${onWard} RETURN subject, resource }`;
    const policy = chartPolicy(
      `CALL () { ${inner} WITH subject, resource RETURN resource, subject } WITH subject, resource`,
      "3.0-kbac",
    );
    const text = compositeSearchStatement(policy, pk, "resource");
    expect(text).toContain(
      "RETURN subject, resource, CASE WHEN (resource._key STARTS WITH 'p1234567/Chart/') THEN resource.external_id END AS __sought",
    );
    expect(text).toContain("WITH subject, resource, __sought RETURN resource, subject, __sought");
    expect(text).toContain("WITH DISTINCT __sought AS id WHERE id > $__row.after");
  });
});

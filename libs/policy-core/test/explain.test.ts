import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import {
  type Answer,
  converse,
  type DecisionExplanation,
  explainDecision,
  explainFilter,
  explainRead,
  type ReadExplanation,
} from "../src/explain/index.ts";
import {
  bindValues,
  compileCiq,
  compileKbac,
  evaluateFilter,
  type Inputs,
  type KbacPolicy,
} from "../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../src/query/index.ts";
import { decideStatement } from "../src/statements/index.ts";
import {
  dropGraph,
  freshKey,
  openTestGraph,
  options,
  type TestEdge,
  type TestNode,
  writeGraph,
} from "./graph.ts";
import { chartPolicy } from "./hospital.ts";

const nodes: readonly TestNode[] = [
  { type: "Nurse", id: "n1", properties: { level: 3, name: "Ada" } },
  { type: "Nurse", id: "n2", properties: { level: 1, name: "Bo" } },
  { type: "Ward", id: "w1", properties: { name: "East" } },
  { type: "Ward", id: "w2", properties: { name: "West" } },
  { type: "Team", id: "t1" },
  { type: "Chart", id: "c1", properties: { risk: 1 } },
  { type: "Chart", id: "c2", properties: { risk: 5 } },
  { type: "Chart", id: "c3", properties: { risk: 2 } },
  { type: "Chart", id: "c4" },
];

const edges: readonly TestEdge[] = [
  ["Nurse/n1", "ON", "Ward/w1", { since: 2019 }],
  ["Nurse/n1", "ON", "Ward/w2", { since: 2020 }],
  ["Nurse/n2", "ON", "Ward/w2", { since: 2021 }],
  ["Nurse/n1", "ON", "Team/t1"],
  ["Ward/w1", "HOLDS", "Chart/c1"],
  ["Ward/w1", "HOLDS", "Chart/c2"],
  ["Ward/w2", "HOLDS", "Chart/c1"],
  ["Ward/w2", "HOLDS", "Chart/c3"],
  ["Nurse/n2", "SIGNED", "Chart/c3"],
];

let graph: Graph;
let here: ProjectKey;
let there: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  [here, there] = [freshKey(), freshKey()];
  await writeGraph(graph, here, nodes, edges);
  // Whoever looks beyond the project finds a relationship that is not there in it.
  await writeGraph(graph, there, nodes, [
    ...edges,
    ["Ward/w2", "HOLDS", "Chart/c4"],
    ["Nurse/n2", "LEADS", "Ward/w2"],
  ]);
});

afterAll(async () => {
  await dropGraph(graph, here);
  await dropGraph(graph, there);
  await graph.close();
});

interface Asked {
  readonly subject?: string;
  readonly resource?: string;
  readonly inputs?: Partial<Inputs>;
}

const rowFor = (policy: KbacPolicy, { subject = "n1", resource = "c1", inputs = {} }: Asked): object => ({
  i: 0,
  s: nodeKey(here, "Nurse", subject),
  r: nodeKey(here, "Chart", resource),
  c0: true,
  ...bindValues(policy.needs, { inputParams: {}, ...inputs }),
});

const asker =
  (row: object): ((statement: string) => Promise<Answer>) =>
  (statement) =>
    graph.shared.read(statement, { __row: row }, options);

const explain = (
  cypher: string,
  asked: Asked = {},
  version?: KbacPolicy["version"],
): Promise<DecisionExplanation> => {
  const policy = chartPolicy(cypher, version);
  return converse(explainDecision(policy, here), asker(rowFor(policy, asked)));
};

const decide = async (
  cypher: string,
  asked: Asked = {},
  version?: KbacPolicy["version"],
): Promise<boolean> => {
  const policy = chartPolicy(cypher, version);
  const { text } = decideStatement([policy], here, "plain");
  const [row] = await graph.shared.read(text, { __row: rowFor(policy, asked) }, options);
  return row?.["granted"] === 0;
};

/** The outcome in a few words: a matched path as `Type/id`s, or the kind and text of the part. */
const brief = (explanation: DecisionExplanation | ReadExplanation): string => {
  switch (explanation.outcome) {
    case "unmatched":
      return `${explanation.certain ? "" : "perhaps "}${explanation.part.kind} ${explanation.part.text}`;
    case "missing":
      return `missing ${explanation.ends.join(", ")}`;
    case "matched":
      return "path" in explanation
        ? explanation.path.nodes.map(({ type, external_id }) => `${type}/${external_id}`).join(" ")
        : "matched";
    default:
      return explanation.outcome;
  }
};

const inWard = "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(resource)";

describe("a decision that was denied names the first part after which no row is left", () => {
  const denied: readonly (readonly [string, Asked, string])[] = [
    [inWard, { subject: "n9" }, "missing subject"],
    [inWard, { resource: "c9" }, "missing resource"],
    [inWard, { subject: "n9", resource: "c9" }, "missing subject, resource"],
    [inWard, { resource: "c4" }, "hop -[:HOLDS]->(resource)"],
    ["MATCH (subject)-[:LEADS]->(w:Ward)-[:HOLDS]->(resource)", {}, "hop -[:LEADS]->(w:Ward)"],
    [
      "MATCH (subject)-[:SIGNED]->(w:Ward)-->(resource)",
      { subject: "n2", resource: "c3" },
      "predicate :Ward",
    ],
    ["MATCH (subject)-[:ON]->(w:Team)-[:HOLDS]->(resource)", { subject: "n2" }, "predicate :Team"],
    ["MATCH (subject)-[:ON]->(w:Ward {name: 'North'})-[:HOLDS]->(resource)", {}, "predicate name: 'North'"],
    ["MATCH (subject)-[o:ON {since: 1990}]->(w:Ward)-[:HOLDS]->(resource)", {}, "predicate since: 1990"],
    [
      "MATCH (subject)-[o:ON WHERE o.since > 2000 AND o.since > 2100]->(:Ward)-[:HOLDS]->(resource)",
      {},
      "predicate o.since > 2100",
    ],
    [
      "MATCH (subject)-[:ON]->(w WHERE w.property.name = 'East')-[:HOLDS]->(resource)",
      { resource: "c3" },
      "hop -[:HOLDS]->(resource)",
    ],
    [
      `${inWard} WHERE resource.property.risk > 0 AND resource.property.risk < 1`,
      {},
      "predicate resource.property.risk < 1",
    ],
    [
      `${inWard} WHERE (resource.property.risk = 7 OR w.property.name = 'North') AND subject.property.level = 3`,
      {},
      "predicate (resource.property.risk = 7 OR w.property.name = 'North')",
    ],
    [
      `${inWard} WHERE NOT (subject)-[:SIGNED]->(resource)`,
      { subject: "n2", resource: "c3" },
      "predicate NOT (subject)-[:SIGNED]->(resource)",
    ],
    [
      `${inWard} WHERE EXISTS { (subject)-[:SIGNED]->(resource) }`,
      {},
      "predicate EXISTS { (subject)-[:SIGNED]->(resource) }",
    ],
    [
      `${inWard} WHERE resource.property.risk <= $max`,
      { resource: "c2", inputs: { inputParams: { max: 3 } } },
      "predicate resource.property.risk <= $max",
    ],
    // Several clauses, comma patterns, several MATCH.
    [
      "MATCH (subject)-[:ON]->(w:Ward)\nMATCH (w)-[:HOLDS]->(resource)",
      { resource: "c4" },
      "hop -[:HOLDS]->(resource)",
    ],
    ["MATCH (subject)-[:ON]->(w:Ward), (z:Zone), (w)-[:HOLDS]->(resource)", {}, "node (z:Zone)"],
    [
      "MATCH (subject), (resource) MATCH (w:Ward {external_id: $w})",
      { inputs: { inputParams: { w: "w9" } } },
      "predicate external_id: $w",
    ],
    [
      "MATCH (subject), (resource) WHERE subject.property.name = 'Bo'",
      {},
      "predicate subject.property.name = 'Bo'",
    ],
    // An OPTIONAL MATCH leaves every row, the MATCH that goes on from its null does not.
    [
      "MATCH (subject), (resource) OPTIONAL MATCH (subject)-[:LEADS]->(l) MATCH (l)-[:HOLDS]->(resource)",
      {},
      "node (l)",
    ],
    // WITH: folding, cutting, filtering.
    [`${inWard} WITH subject, resource, count(w) AS n WHERE n > 0 AND n > 2`, {}, "predicate n > 2"],
    [
      `${inWard} WITH subject, resource SKIP 5 MATCH (subject)-->(t:Team)`,
      {},
      "clause WITH subject, resource SKIP 5",
    ],
    [
      `${inWard} WITH subject, resource, collect(w.external_id) AS ids UNWIND ids AS id WITH * WHERE id = 'w7'`,
      {},
      "predicate id = 'w7'",
    ],
    [`${inWard} UNWIND [] AS nothing`, {}, "clause UNWIND [] AS nothing"],
    // One group always: what stands before it takes no row away.
    [
      "MATCH (z:Zone) WITH count(z) AS zones MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(resource) WHERE zones > 0",
      {},
      "predicate zones > 0",
    ],
    // Variable length, undirected, a predicate that reads a name of a later pattern.
    [
      "MATCH (subject)-[:ON|HOLDS*1..3]->(t:Ward)-[*..2]-(resource) WHERE t.property.x IS NOT NULL",
      {},
      "predicate t.property.x IS NOT NULL",
    ],
    [
      "MATCH (subject {level: resource.property.risk})-[:ON]->(w)-[:HOLDS]->(resource)",
      {},
      "predicate level: resource.property.risk",
    ],
    ["MATCH p = (subject)-[*1..2]->(resource) WHERE length(p) > 2", {}, "predicate length(p) > 2"],
    [
      "MATCH (subject)-[rels:ON|HOLDS*2]->(resource) WHERE all(r IN rels WHERE r.since > 3000)",
      {},
      "predicate all(r IN rels WHERE r.since > 3000)",
    ],
    // A WITH that drops what is bound before the text.
    ["MATCH (w:Ward) WITH w MATCH (subject)-[:LEADS]->(w)-[:HOLDS]->(resource)", {}, "hop -[:LEADS]->(w)"],
  ];

  it.each(denied)("%s", async (cypher, asked, expected) => {
    expect(brief(await explain(cypher, asked))).toBe(expected);
    expect(await decide(cypher, asked)).toBe(false);
  });

  it("gives the place in the author's text", async () => {
    expect(
      await explain("MATCH (subject)-[:ON]->(w)\n  WHERE w.property.name =\n 'North' MATCH (w)-->(resource)"),
    ).toEqual({
      outcome: "unmatched",
      part: {
        kind: "predicate",
        from: { line: 2, column: 9 },
        to: { line: 3, column: 9 },
        text: "w.property.name =\n 'North'",
      },
      certain: true,
    });
  });

  it("takes a CALL as one part", async () => {
    const inside = "MATCH (subject) CALL (subject) { MATCH (subject)-[:LEADS]->(w:Ward) RETURN w }";
    const call = "CALL (subject) { MATCH (subject)-[:LEADS]->(w:Ward) RETURN w }";
    expect(brief(await explain(`${inside} MATCH (w)-[:HOLDS]->(resource)`, {}, "3.0-kbac"))).toBe(
      `clause ${call}`,
    );
    const binding =
      "CALL () { MATCH (subject)-[:ON]->(w:Ward) RETURN subject, w } MATCH (w)-[:HOLDS]->(resource)";
    expect(brief(await explain(binding, { resource: "c4" }, "3.0-kbac"))).toBe("hop -[:HOLDS]->(resource)");
    expect(brief(await explain(binding, {}, "3.0-kbac"))).toBe("Nurse/n1 Ward/w1 Chart/c1");
  });
});

describe("a decision that was granted shows one match, always the same", () => {
  it("of named and anonymous elements, as references", async () => {
    expect(await explain("MATCH (subject)-[:ON]->(:Ward)-[h:HOLDS]->(resource)")).toEqual({
      outcome: "matched",
      path: {
        nodes: [
          { type: "Nurse", external_id: "n1" },
          { type: "Ward", external_id: "w1" },
          { type: "Chart", external_id: "c1" },
        ],
        relationships: [
          {
            type: "ON",
            source: { type: "Nurse", external_id: "n1" },
            target: { type: "Ward", external_id: "w1" },
          },
          {
            type: "HOLDS",
            source: { type: "Ward", external_id: "w1" },
            target: { type: "Chart", external_id: "c1" },
          },
        ],
      },
    });
  });

  it("carries what a WITH drops, even when its name is used again", async () => {
    const cypher =
      "MATCH (subject)-[:ON]->(w:Team) WITH subject MATCH (subject)-[:ON]->(w:Ward)-->(resource) WITH resource, subject, 1 AS one";
    expect(brief(await explain(cypher))).toBe("Nurse/n1 Team/t1 Ward/w1 Chart/c1");
  });

  it("leaves out what an aggregation folds and an OPTIONAL MATCH does not find", async () => {
    const folded = `${inWard} WITH subject, resource, count(w) AS n OPTIONAL MATCH (subject)-[:LEADS]->(x:Ward)`;
    expect(await explain(folded)).toEqual({
      outcome: "matched",
      path: {
        nodes: [
          { type: "Nurse", external_id: "n1" },
          { type: "Chart", external_id: "c1" },
        ],
        relationships: [],
      },
    });
  });

  it("gives the hops of a variable length", async () => {
    const explanation = await explain("MATCH (subject)-[:ON|HOLDS*1..2]->(resource)", { resource: "c2" });
    expect(explanation).toMatchObject({
      path: {
        nodes: [{ external_id: "n1" }, { external_id: "w1" }, { external_id: "c2" }],
        relationships: [
          { type: "ON", target: { type: "Ward", external_id: "w1" } },
          { type: "HOLDS", source: { type: "Ward", external_id: "w1" } },
        ],
      },
    });
  });

  it("asks for any match when there are too many to put in order", async () => {
    const policy = chartPolicy(inWard);
    const ask = asker(rowFor(policy, {}));
    const asked: string[] = [];
    const explanation = await converse(explainDecision(policy, here), (statement) => {
      asked.push(statement);
      return statement.includes("ORDER BY") ? Promise.resolve(undefined) : ask(statement);
    });
    expect(explanation.outcome).toBe("matched");
    expect(asked).toHaveLength(2);
  });

  it("says so when statements do not finish", async () => {
    const policy = chartPolicy(inWard);
    expect(await converse(explainDecision(policy, here), () => Promise.resolve(undefined))).toEqual({
      outcome: "unknown",
    });
    const slow = await converse(explainDecision(policy, here), (statement) =>
      statement.startsWith("OPTIONAL") ? asker(rowFor(policy, {}))(statement) : Promise.resolve(undefined),
    );
    expect(slow).toMatchObject({ outcome: "unmatched", certain: false });
  });

  it("knows the identity switch", async () => {
    const policy = chartPolicy(inWard);
    const dialogue = explainDecision(policy, here, { requireIdentity: true });
    expect(await converse(dialogue, asker(rowFor(policy, {})))).toEqual({ outcome: "no_identity" });
  });
});

describe("a filter in memory", () => {
  it("names the first leaf that is not true by its place in the JSON", () => {
    const checked = compileKbac(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Nurse" },
        actions: ["SIGN"],
        resource: { type: "Chart" },
        condition: {
          cypher: inWard,
          filter: [
            { attribute: "$token.scope", operator: "CONTAINS", value: "sign" },
            { operator: "OR", operands: [{ attribute: "$token.level", operator: ">=", value: "$least" }] },
          ],
        },
      }),
    );
    if (!checked.ok || checked.value.filter === undefined) throw new Error("not compiled");
    const { filter } = checked.value.filter;
    const { needs } = checked.value;
    const outcome = (token: Record<string, unknown>) =>
      explainFilter(evaluateFilter(filter, bindValues(needs, { inputParams: { least: 3 }, token })));
    expect(outcome({ scope: "sign", level: 2 })).toEqual({
      outcome: "filter",
      part: {
        path: "policy.condition.filter[1].operands[0]",
        operator: ">=",
        attribute: "$token.level",
        value: "$least",
      },
      tokenMissing: false,
    });
    expect(outcome({ level: 3 })?.part.path).toBe("policy.condition.filter[0]");
    expect(outcome({ scope: "sign", level: 3 })).toBeUndefined();
  });
});

describe("a knowledge query", () => {
  const wards = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[:HOLDS]->(chart:Chart)";
  const query = (condition: object, asked: object = {}): KnowledgeQuery => {
    const policy = compileCiq(
      JSON.stringify({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Nurse" },
        condition,
        allowed_reads: { nodes: ["chart.*", "w.*"] },
      }),
    );
    if (!policy.ok) throw new Error(policy.faults.join("; "));
    const checked = compileQuery(JSON.stringify({ nodes: ["chart.external_id"], ...asked }), policy.value);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    return checked.value;
  };
  const read = (
    knowledge: KnowledgeQuery,
    inputParams: Record<string, unknown> = {},
    person = "n1",
    asking: (statement: string, ask: (statement: string) => Promise<Answer>) => Promise<Answer> = (
      statement,
      ask,
    ) => ask(statement),
  ): Promise<ReadExplanation> => {
    const row = {
      s: nodeKey(here, "Nurse", person),
      ...bindValues(knowledge.needs, { inputParams, token: { sub: person } }),
    };
    return converse(explainRead(knowledge, here), (statement) => asking(statement, asker(row)));
  };
  const own = { attribute: "subject.external_id", operator: "=", value: "$token.sub" };
  const safe = { attribute: "chart.property.risk", operator: "<=", value: 2 };

  it("counts the rows before and after each filter", async () => {
    const knowledge = query(
      { cypher: wards, filter: [own, safe] },
      { filter: { attribute: "w.property.name", operator: "=", value: "$ward" } },
    );
    expect(await read(knowledge, { ward: "West" })).toEqual({
      outcome: "matched",
      rows: {
        pattern: 4,
        filters: [
          {
            path: "policy.condition.filter[0]",
            operator: "=",
            attribute: "subject.external_id",
            value: "$token.sub",
            rows: 4,
          },
          {
            path: "policy.condition.filter[1]",
            operator: "<=",
            attribute: "chart.property.risk",
            value: 2,
            rows: 3,
          },
          { path: "query.filter", operator: "=", attribute: "w.property.name", value: "$ward", rows: 2 },
        ],
      },
    });
    expect(await read(knowledge, { ward: "North" })).toMatchObject({
      outcome: "filter",
      part: { path: "query.filter" },
      certain: true,
      rows: { pattern: 4, filters: [{ rows: 4 }, { rows: 3 }, { rows: 0 }] },
    });
  });

  it("names a branch as a whole, and counts what each of its leaves takes", async () => {
    const either = (...values: readonly number[]): object => ({
      operator: "OR",
      operands: [
        { ...safe, value: values[0] },
        { operator: "NOT", operands: [{ ...safe, value: values[1] }] },
      ],
    });
    expect(await read(query({ cypher: wards, filter: [either(0, 9)] }))).toMatchObject({
      outcome: "filter",
      part: { path: "policy.condition.filter[0]", operator: "OR" },
    });
    // c3, with a risk of 2, passes neither side of the first branch, and what it drops no later leaf counts.
    const east = { attribute: "w.property.name", operator: "=", value: "East" };
    const counted = await read(query({ cypher: wards, filter: [either(1, 4), east, either(9, 9)] }));
    const leaf = (filter: number, operand: string, value: number, rows: number) => ({
      path: `policy.condition.filter[${filter}].operands[${operand}`,
      operator: "<=",
      attribute: "chart.property.risk",
      value,
      rows,
    });
    expect(counted).toEqual({
      outcome: "matched",
      rows: {
        pattern: 4,
        filters: [
          {
            path: "policy.condition.filter[0]",
            operator: "OR",
            rows: 3,
            leaves: [leaf(0, "0]", 1, 2), leaf(0, "1].operands[0]", 4, 3)],
          },
          { ...east, path: "policy.condition.filter[1]", rows: 2 },
          {
            path: "policy.condition.filter[2]",
            operator: "OR",
            rows: 2,
            leaves: [leaf(2, "0]", 9, 2), leaf(2, "1].operands[0]", 9, 2)],
          },
        ],
      },
    });
  });

  it("names the part of the pattern without a row, and a subject that is not there", async () => {
    expect(brief(await read(query({ cypher: `${wards} WHERE w.property.name = 'North'` })))).toBe(
      "predicate w.property.name = 'North'",
    );
    expect(brief(await read(query({ cypher: wards }), {}, "n9"))).toBe("missing subject");
    expect(brief(await read(query({ cypher: wards, filter: [own] }), {}, "n9"))).toBe("missing subject");
    const byText = query({ cypher: `${wards} WHERE subject.external_id = $token.sub` });
    expect(brief(await read(byText, {}, "n9"))).toBe("predicate subject.external_id = $token.sub");
    expect(await read(byText, {}, "n2")).toMatchObject({
      outcome: "matched",
      rows: { pattern: 2, filters: [] },
    });
  });

  it("does without counts that do not finish", async () => {
    const uncounted = (statement: string, ask: (statement: string) => Promise<Answer>): Promise<Answer> =>
      statement.includes("count(*)") ? Promise.resolve(undefined) : ask(statement);
    const knowledge = query({ cypher: wards, filter: [own, safe] });
    expect(await read(knowledge, {}, "n1", uncounted)).toEqual({ outcome: "matched" });
    expect(await read(query({ cypher: wards }), {}, "n1", uncounted)).toEqual({ outcome: "matched" });
    // Whoever knows the answer asks for nothing else.
    const silent = (): Promise<Answer> => Promise.resolve(undefined);
    expect(await converse(explainRead(knowledge, here, true), silent)).toEqual({ outcome: "matched" });
    expect(
      await read(query({ cypher: wards, filter: [own, { ...safe, value: 0 }] }), {}, "n1", uncounted),
    ).toMatchObject({ outcome: "filter", part: { path: "policy.condition.filter[1]" }, certain: false });
  });
});

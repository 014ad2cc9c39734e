import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { StoredResolver } from "@ikg/catalog";
import type { QueryExplanation } from "@ikg/contracts";
import { openEgress } from "@ikg/egress";
import { connectGraph, type Graph } from "@ikg/graph";
import { externalValueField, newProjectKey } from "@ikg/physical";
import { bindRow } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { openExplainer } from "../src/explain/explainer.ts";
import { openResolvers } from "../src/resolvers/resolve.ts";
import { type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import {
  type Call,
  type Json,
  openProject,
  openTestGraph,
  policyOf,
  type Seed,
  setting,
  type TestProject,
} from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";
import { startUpstream } from "./upstream.ts";

/** One nurse on two wards with three charts; a value of the graph is told by its text. */
const seed: Seed = {
  nodes: {
    "Nurse/n1": { name: "secret of n1" },
    "Ward/w1": { name: "secret of w1", floor: 1 },
    "Ward/w2": { name: "secret of w2", floor: 2 },
    "Chart/secret-c1": { risk: 1 },
    "Chart/secret-c2": { risk: 2 },
    "Chart/secret-c3": { risk: 9 },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n1", "ON", "Ward/w2"],
    ["Ward/w1", "HOLDS", "Chart/secret-c1", { note: "secret" }],
    ["Ward/w1", "HOLDS", "Chart/secret-c2", { note: "secret" }],
    ["Ward/w2", "HOLDS", "Chart/secret-c3", { note: "secret" }],
  ],
};

const pk = newProjectKey(randomBytes(8));
let graph: Graph;
let here: TestProject;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
beforeEach(async () => {
  here = await openProject(graph, seed, pk);
});
afterEach(() => here.drop());
afterAll(() => graph.close());

const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const policy = (condition: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: { nodes: ["chart.*", "w.*"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
    relationships: {
      relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" }],
    },
  },
  allowed_deletes: { nodes: ["w.property.floor"], relationships: ["h"] },
});
const ids = { nodes: ["chart.property.risk"] };
const risk = (operator: string, value: unknown): Json => ({
  attribute: "chart.property.risk",
  operator,
  value,
});

/** The explanation; the answer beside it is that of the same question without one. */
const why = async (condition: Json, query: Json = ids, call: Call = {}): Promise<QueryExplanation> => {
  const plain = await here.ask(policy(condition), query, call);
  expect(plain).not.toHaveProperty("explanation");
  const { explanation, ...answer } = await here.ask(policy(condition), query, { ...call, explain: true });
  expect(answer).toEqual(plain);
  if (explanation === undefined) throw new Error("no explanation");
  // Of the graph it says how much there is, never what.
  expect(JSON.stringify(explanation)).not.toMatch(/secret|_Node|__|\$__row/);
  return explanation;
};

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
      await here.drop();
      here = await openProject(graph, seed, pk);
      return `${JSON.stringify(data)}${shown.replaceAll(/gid:[\w-]+/g, "gid")}`;
    };
    expect(await picture(true)).toBe(await picture(false));
  });
});

describe("calls of external data resolvers", () => {
  it("are told with outcome and time, each once for the whole page", async () => {
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

describe("what an explanation costs", () => {
  it("is nothing for who does not ask, and transactions of its own for who does", async () => {
    const texts: string[] = [];
    const watched = connectGraph(
      {
        uri: setting("NEO4J_URI"),
        username: setting("NEO4J_USERNAME"),
        password: setting("NEO4J_PASSWORD"),
      },
      { onStatement: ({ text }) => void texts.push(text) },
    );
    const watching = await openProject(watched, { nodes: {}, edges: [] });
    const create = {
      upsert_nodes: [{ name: "note", type: "Note", external_id: "n" }],
      nodes: ["note.external_id"],
    };
    // A process reserves a name once, which takes statements of its own.
    await watching.reserveNames(policy(), create);
    const counts: number[] = [];
    for (const query of [ids, create])
      for (const explain of [false, true]) {
        texts.length = 0;
        await watching.ask(policy(), query, { explain });
        counts.push(texts.length);
      }
    const [read = 0, explained = 0, write = 0, explainedWrite = 0] = counts;
    expect(read).toBe(1);
    expect(explained).toBeGreaterThan(1);
    // Nothing matches: the write is its match alone. Explained it is read once more, besides the explanation itself.
    expect(write).toBe(1);
    expect(explainedWrite).toBe(explained + 1);
    await watching.drop();
    await watched.close();
  });

  it("ends with its time, then it says that it does not know, and with the caller", async () => {
    // Few patterns may be planned together.
    const charts = Array.from({ length: 30 }, (_, n) => `WITH * MATCH (x${n}:Chart)`).join(" ");
    const endless = `${cypher} ${charts} WITH subject, chart, count(*) AS n`;
    const { subject } = policy();
    const compiled = policyOf({
      subject,
      condition: { cypher: endless },
      allowed_reads: { nodes: ["chart.*"] },
    });
    const query = compileQuery(JSON.stringify(ids), compiled);
    if (!query.ok) throw new Error(query.faults.join("; "));
    const names = {
      id: "q",
      name: "query",
      version: 1,
      policyId: "p",
      policyName: "policy",
      policyVersion: 1,
    };
    const caller = new AbortController();
    const inquiry = (limitMs: number) =>
      openExplainer({
        database: graph.shared,
        stored: { ...names, policy: compiled, query, displayName: undefined, description: undefined },
        query: query.value,
        pk,
        row: { s: `${pk}/Nurse/n1`, ...bindRow(query.value.needs, { inputParams: {} }) },
        options: { timeoutMs: 60_000, signal: caller.signal },
        limitMs,
        endsAt: Infinity,
      });
    const started = performance.now();
    const told = await inquiry(600).explanation();
    expect(performance.now() - started).toBeLessThan(5_000);
    // Whoever saw no row in time is not sure of anything.
    expect(told.outcome === "unknown" || told.part?.certain === false).toBe(true);
    expect(told).not.toHaveProperty("rows");
    const known = inquiry(600);
    await known.counted(() => Promise.resolve({ count: 1 }));
    expect(await known.explanation()).toMatchObject({
      outcome: "rows",
      statements: 1,
      statement: { rows: 1 },
    });
    const leaving = inquiry(60_000).explanation();
    setTimeout(() => caller.abort(new Error("left")), 300);
    await expect(leaving).rejects.toThrow("left");
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("who may ask why", () => {
  let ciq: CiqProcess;
  let stored: StoredProject;
  beforeAll(async () => {
    stored = await storeProject(graph);
    const own = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application)" },
      allowed_reads: { nodes: ["subject.external_id"] },
    };
    await stored.query("own", await stored.policy(own), { nodes: ["subject.external_id"] });
    ciq = await startCiqProcess();
  });
  afterAll(async () => {
    await ciq.end();
    await stored.remove();
  });

  it("is an agent with ReadAuthZConfigs; nobody else gets an answer instead", async () => {
    const headers = { "X-Explain": "true" };
    const told = await ciq.execute(stored, { id: "own" }, { headers });
    expect([told.status, told.body["data"]]).toEqual([200, []]);
    expect(told.body["explanation"]).toMatchObject({
      query: { name: "own", version: 1 },
      outcome: "pattern_not_matched",
      missing: ["subject"],
    });
    const refused = await ciq.execute(stored, { id: "own" }, { headers, permissions: ["ContXIQ"] });
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: "permission missing: ReadAuthZConfigs" },
    ]);
    const unasked = await ciq.execute(stored, { id: "own" }, { permissions: ["ContXIQ"] });
    expect([unasked.status, unasked.body]).toEqual([200, { data: [] }]);
  });
});

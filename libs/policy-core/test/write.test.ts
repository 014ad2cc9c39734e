import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph, Row } from "@ikg/graph";
import { lockNodesText, nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, bindValues, compileCiq, type Inputs } from "../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../src/query/index.ts";
import {
  bindUpserts,
  planWrites,
  trialQuery,
  type WritePlan,
  type WriteStatements,
  writeStatements,
} from "../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "./graph.ts";

const now = "2026-01-01T00:00:00.000Z";

const policy = compileCiq(
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Nurse" },
    condition: {
      cypher:
        "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart) MATCH (subject)-[hops*1..2]->(chart) WITH *, 1 AS one",
    },
    allowed_reads: {
      nodes: ["chart.*", "w.*"],
      relationships: ["h", "hops"],
      aggregate_values: ["one"],
    },
    allowed_upserts: {
      nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
      relationships: {
        relationship_types: [
          { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
          { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
        ],
        existing_relationships: ["h"],
      },
    },
    allowed_deletes: { nodes: ["chart.*", "w", "w.*"], relationships: ["h.*", "h"] },
  }),
);

const compiled = (json: unknown): KnowledgeQuery => {
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const checked = compileQuery(JSON.stringify(json), policy.value);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

/** Every kind of entry at once. */
const everything = compiled({
  upsert_nodes: [
    {
      name: "chart",
      properties: [
        { type: "state", value: "$state", metadata: [{ type: "source", value: "$token.iss" }] },
        { type: "scan", external_value: "$resolver" },
      ],
    },
    { name: "note", type: "Note", external_id: "$note", labels: ["Red", "Identity"] },
  ],
  upsert_relationships: [
    {
      name: "s",
      source: "subject",
      target: "chart",
      type: "SIGNED",
      properties: [
        { type: "discriminating_property", value: "day" },
        { type: "day", value: "$day" },
      ],
    },
    { name: "ab", source: "note", target: "chart", type: "ABOUT" },
    { name: "h", properties: [{ type: "seen", value: true }] },
  ],
  delete_nodes: ["chart.property.draft", "chart.property.title.metadata.source", "w.*", "w"],
  nodes: [
    "chart",
    "chart.*",
    "chart.property.*",
    "chart.property.title.*",
    "chart.property.title.metadata.*",
    "chart.trust_score.*",
    "chart.trust_score._origin",
    "note",
    "w.external_id",
  ],
  relationships: ["s", "s.*", "ab.type", "h", "h.*", "h.seen", "hops"],
  aggregate_values: ["one"],
});

const deleting = compiled({ delete_relationships: ["h.since", "h.*", "h"] });

const given = (changes: Record<string, unknown> = {}): Inputs => ({
  inputParams: { state: "signed", resolver: "r", note: "x", day: "mon", ...changes },
  token: { sub: "n1", iss: "https://idp.example" },
});

const nodes = [
  { type: "Nurse", id: "n1" },
  { type: "Ward", id: "w1", properties: { name: "East" } },
  { type: "Chart", id: "c1", properties: { title: "One", draft: "d" } },
  { type: "Chart", id: "c2", properties: { title: "Two" } },
];
const edges = [
  ["Nurse/n1", "ON", "Ward/w1"],
  ["Ward/w1", "HOLDS", "Chart/c1", { since: 1, _discriminator: "" }],
  ["Ward/w1", "HOLDS", "Chart/c2", { since: 2, _discriminator: "" }],
] as const;

const statementsOf = (query: KnowledgeQuery, pk: ProjectKey): WriteStatements => {
  const statements = writeStatements(query, pk);
  if (statements === undefined) throw new Error("the query writes nothing");
  return statements;
};

const planOf = (
  query: KnowledgeQuery,
  pk: ProjectKey,
  rows: readonly Row[],
  inputs: Inputs = given(),
): WritePlan => {
  const statements = statementsOf(query, pk);
  const bound = bindUpserts(statements.writes, bindValues(query.needs, inputs), now);
  if (!bound.ok) throw new Error(bound.faults.join("; "));
  const plan = planWrites(statements, bound.value, rows, { now, newNodeId: () => `${pk}-new` });
  if (!plan.ok) throw new Error(plan.faults.join("; "));
  return plan.value;
};

let graph: Graph;
let here: ProjectKey;
let there: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  [here, there] = [freshKey(), freshKey()];
  for (const pk of [here, there]) await writeGraph(graph, pk, nodes, edges);
});
afterAll(async () => {
  await dropGraph(graph, here);
  await dropGraph(graph, there);
  await graph.close();
});

/** Runs the five steps; resolves to the rows of the projection. */
const run = (query: KnowledgeQuery, inputs: Inputs = given()): Promise<readonly Row[]> =>
  graph.shared.write(async (tx) => {
    const { match } = statementsOf(query, here);
    const row = { s: nodeKey(here, "Nurse", "n1"), ...bindRow(query.needs, inputs) };
    const rows = await tx.run(match.text, { __row: row });
    const plan = planOf(query, here, rows, inputs);
    await tx.run(plan.locks.text, plan.locks.params);
    for (const step of plan.nodes) await tx.run(step.text, step.params);
    const answers: Row[][] = [];
    for (const step of plan.relationships) answers.push(await tx.run(step.text, step.params));
    const projection = plan.projection(0, rows, answers);
    const shown = projection === undefined ? [] : await tx.run(projection.text, projection.params);
    for (const step of plan.deletes) await tx.run(step.text, step.params);
    return shown;
  }, options);

const counts = async (pk: ProjectKey): Promise<unknown> =>
  graph.shared.read(
    `MATCH (n:_P__${pk}) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS relationships`,
    {},
    options,
  );

describe("the statements of a writing query", () => {
  it("run on the database, every kind of them, and stay inside the project", async () => {
    const rows = await run(everything);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ n8: "w1", r2: "ABOUT", r5: true });
    // One ward less, one note more; two relationships of the note, two of the nurse.
    expect(await counts(here)).toEqual([{ nodes: 4, relationships: 4 }]);
    expect(await counts(there)).toEqual([{ nodes: 4, relationships: 3 }]);
  });

  it("delete relationships, each part before the whole", async () => {
    const pk = freshKey();
    await writeGraph(graph, pk, nodes, edges);
    const { deletes } = statementsOf(deleting, pk);
    expect(deletes.map(({ text }) => text.split("\n").at(-1)?.slice(0, 8))).toEqual([
      "SET r +=",
      "SET r = ",
      "DELETE r",
    ]);
    await dropGraph(graph, pk);
  });

  it("lock the ends of relationships that are deleted", async () => {
    const pk = freshKey();
    await writeGraph(graph, pk, nodes, edges);
    const lock = (...id: readonly [type: string, id: string]): Promise<unknown> =>
      graph.shared.write((tx) => tx.run(lockNodesText, { keys: [nodeKey(pk, ...id)] }), { timeoutMs: 1_000 });
    await graph.shared.write(async (tx) => {
      const row = { s: nodeKey(pk, "Nurse", "n1"), ...bindRow(deleting.needs, given()) };
      const rows = await tx.run(statementsOf(deleting, pk).match.text, { __row: row });
      const { locks } = planOf(deleting, pk, rows);
      await tx.run(locks.text, locks.params);
      await lock("Nurse", "n1");
      await expect(lock("Ward", "w1")).rejects.toThrow();
      await expect(lock("Chart", "c2")).rejects.toThrow();
    }, options);
    await dropGraph(graph, pk);
  });

  it("depend on the query alone: values of a request are parameters", () => {
    const secret = "a value of the caller";
    const inputs = given({ state: secret, resolver: secret, note: secret, day: secret });
    const rows = [
      { k0: nodeKey(here, "Nurse", "n1"), k1: nodeKey(here, "Chart", "c1"), k2: nodeKey(here, "Ward", "w1") },
    ];
    const texts = (plan: WritePlan): readonly string[] =>
      [...plan.nodes, ...plan.relationships, ...plan.deletes].map(({ text }) => text);
    const plan = planOf(everything, here, rows, inputs);
    expect(texts(plan)).toEqual(texts(planOf(everything, here, rows)));
    expect(texts(plan).join("\n")).not.toContain(secret);
    expect(JSON.stringify(plan.nodes.map(({ params }) => params))).toContain(secret);
  });

  it("name every element once, in a fixed order", () => {
    const { match } = statementsOf(everything, here);
    const [subject, chart, h] = [
      match.nodes.get("subject") ?? "",
      match.nodes.get("chart") ?? "",
      match.relationships.get("h")?.id ?? "",
    ];
    const key = (type: string, id: string): string => nodeKey(here, type, id);
    const rows = ["c2", "c1", "c2", null].map((id) => ({
      [subject]: key("Nurse", "n1"),
      [chart]: id === null ? null : key("Chart", id),
      [h]: id === null ? null : `id-${id}`,
    }));
    const plan = planOf(everything, here, rows);
    expect(plan.nodes[0]?.params["keys"]).toEqual([key("Chart", "c1"), key("Chart", "c2")]);
    expect(plan.nodes[1]?.params).toMatchObject({ k: key("Note", "x"), x: "x", type: "Note" });
    expect(plan.relationships[0]?.params).toMatchObject({
      d: '"mon"',
      rows: [
        { i: 0, a: key("Nurse", "n1"), b: key("Chart", "c1") },
        { i: 1, a: key("Nurse", "n1"), b: key("Chart", "c2") },
      ],
    });
    expect(plan.relationships[2]?.params["ids"]).toEqual(["id-c1", "id-c2"]);
    // A ward stood in no row.
    expect(plan.deletes).toHaveLength(2);
    expect(plan.locks.params["keys"]).toEqual(
      [key("Chart", "c1"), key("Chart", "c2"), key("Note", "x"), key("Nurse", "n1")].toSorted(),
    );
  });

  it("do nothing at all without rows", () => {
    const plan = planOf(everything, here, []);
    expect([plan.nodes, plan.relationships, plan.deletes]).toEqual([[], [], []]);
    expect(plan.projection(0, [], [])).toBeUndefined();
  });

  it("are tried before the query is saved without one that writes", async () => {
    const trials = trialQuery(everything);
    expect(trials).toHaveLength(2);
    for (const text of trials) await graph.shared.read(`EXPLAIN ${text}`, {}, options);
  });
});

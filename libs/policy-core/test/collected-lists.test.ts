import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DataFault, type Graph } from "@ikg/graph";
import { nodeKey, nodeLabel, type ProjectKey, projectLabel, quoteName, typeLabel } from "@ikg/physical";
import { collectedEntries } from "../src/bounds/budget.ts";
import { dropGraph, freshKey, openTestGraph, options, writeGraph } from "./graph.ts";
import { type Asks, askIn, chartPolicy } from "./hospital.ts";
import { inLongRun } from "./runs.ts";

/** A nurse with as many patients as a list may have that is gone through, and one with two more. */
let graph: Graph;
let pk: ProjectKey;
let decide: Asks["decide"];

/** Makes so many patients whom one nurse treats, and all but two of whom the other treats. */
const admit = async (count: number): Promise<void> => {
  const label = [nodeLabel, projectLabel(pk), typeLabel("Patient", pk)].map(quoteName).join(":");
  await graph.shared.write(
    (tx) =>
      tx.run(
        `MATCH (more:_Node {_key: $more}) MATCH (most:_Node {_key: $most}) UNWIND range(1, $count) AS i ` +
          `CREATE (more)-[:TREATS]->(n:${label} {_key: $prefix + i, external_id: 'p' + i, type: 'Patient', id: $prefix + i}) ` +
          `WITH most, n, i WHERE i <= $count - 2 CREATE (most)-[:TREATS]->(n)`,
        {
          count,
          more: nodeKey(pk, "Nurse", "more"),
          most: nodeKey(pk, "Nurse", "most"),
          prefix: nodeKey(pk, "Patient", "p"),
        },
      ),
    options,
  );
};

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  pk = freshKey();
  const nodes = [
    { type: "Nurse", id: "most" },
    { type: "Nurse", id: "more" },
    { type: "Chart", id: "c1" },
  ];
  await writeGraph(graph, pk, nodes, []);
  await admit(collectedEntries + 2);
  ({ decide } = askIn(graph, pk));
}, 60_000);

afterAll(async () => {
  await dropGraph(graph, pk);
  await graph.close();
});

const collected =
  "MATCH (subject:Nurse)-[:TREATS]->(p:Patient), (resource:Chart) WITH subject, resource, collect(p.external_id) AS ids";

describe("a collected list", () => {
  it.each([
    `${collected} WHERE any(id IN ids WHERE id = 'p10000')`,
    `${collected} WITH subject, resource, ids AS others WHERE any(each IN ['p10000'] WHERE each IN others)`,
    "MATCH (subject:Nurse), (resource:Chart) WHERE any(id IN [(subject)-[:TREATS]->(p:Patient) | p.external_id] WHERE id = 'p10000')",
    ...inLongRun([
      `${collected} WHERE size([id IN ids | id + 'x']) > 1`,
      `${collected} WHERE reduce(n = 0, id IN tail(ids) | n + 1) > 1`,
      "MATCH (subject:Nurse)-[:TREATS]->(p:Patient), (resource:Chart) WITH subject, resource, [id IN collect(p.external_id) | id + 'x'] AS ids WHERE size(ids) > 1",
    ]),
  ])(
    "is gone through up to the length that bounds count with, and a longer one fails: %s",
    async (cypher) => {
      const policy = chartPolicy(cypher);
      expect(await decide([policy], "most", "c1")).toBe(0);
      await expect(decide([policy], "more", "c1")).rejects.toThrow(DataFault);
    },
  );

  it.each([
    `${collected} WHERE 'p10001' IN ids`,
    `${collected} UNWIND ids AS id WITH subject, resource, id WHERE id = 'p10001'`,
    ...inLongRun([
      `${collected} WHERE size(ids) > ${collectedEntries} AND head(ids) STARTS WITH 'p' AND ids[0] <> 'q'`,
    ]),
  ])("of any length is looked at in parts: %s", async (cypher) => {
    expect(await decide([chartPolicy(cypher)], "more", "c1")).toBe(0);
  });
});

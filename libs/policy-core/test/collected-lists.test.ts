import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DataFault, type Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import { collectedEntries } from "../src/bounds/budget.ts";
import { dropGraph, freshKey, openTestGraph, type TestEdge, type TestNode, writeGraph } from "./graph.ts";
import { type Asks, askIn, chartPolicy } from "./hospital.ts";
import { inLongRun } from "./runs.ts";

let graph: Graph;
let pk: ProjectKey;
let decide: Asks["decide"];

/** Wards of each nurse. */
const wards = 100;
/** Patients of a nurse who finds one in each ward as often as a list may have entries that is gone through. */
const patients = collectedEntries / wards;

const numbered = <T>(count: number, make: (number: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

const nodes: readonly TestNode[] = [
  { type: "Nurse", id: "most" },
  { type: "Nurse", id: "more" },
  { type: "Chart", id: "c1" },
  ...numbered(wards, (number) => ({ type: "Ward", id: `w${number}` })),
  ...numbered(patients + 1, (number) => ({ type: "Patient", id: `p${number}` })),
];
const edges: readonly TestEdge[] = [
  ...["most", "more"].flatMap((nurse) =>
    numbered(wards, (number): TestEdge => [`Nurse/${nurse}`, "ON", `Ward/w${number}`]),
  ),
  ...numbered(patients, (number): TestEdge => ["Nurse/most", "TREATS", `Patient/p${number}`]),
  ...numbered(patients + 1, (number): TestEdge => ["Nurse/more", "TREATS", `Patient/p${number}`]),
];

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  pk = freshKey();
  await writeGraph(graph, pk, nodes, edges);
  ({ decide } = askIn(graph, pk));
});

afterAll(async () => {
  await dropGraph(graph, pk);
  await graph.close();
});

/** Matches each patient of a nurse as often as the nurse has wards. */
const treated = "(:Ward)<-[:ON]-(subject:Nurse)-[:TREATS]->(p:Patient)";
const collected = `MATCH ${treated}, (resource:Chart) WITH subject, resource, collect(p.external_id) AS ids`;

describe("a collected list", () => {
  it.each([
    `${collected} WHERE any(id IN ids WHERE id = 'p100')`,
    "MATCH (subject:Nurse), (resource:Chart) WHERE any(id IN [(:Ward)<-[:ON]-(subject)-[:TREATS]->(p:Patient) | p.external_id] WHERE id = 'p100')",
    ...inLongRun([
      `${collected} WITH subject, resource, ids AS others WHERE any(each IN ['p100'] WHERE each IN others)`,
      `${collected} WHERE size([id IN ids | id + 'x']) > 1`,
      `${collected} WHERE reduce(n = 0, id IN tail(ids) | n + 1) > 1`,
      `MATCH ${treated}, (resource:Chart) WITH subject, resource, [id IN collect(p.external_id) | id + 'x'] AS ids WHERE size(ids) > 1`,
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
    `${collected} WHERE 'p101' IN ids`,
    ...inLongRun([
      `${collected} UNWIND ids AS id WITH subject, resource, id WHERE id = 'p101'`,
      `${collected} WHERE size(ids) > ${collectedEntries} AND head(ids) STARTS WITH 'p' AND ids[0] <> 'q'`,
    ]),
  ])("of any length is looked at in parts: %s", async (cypher) => {
    expect(await decide([chartPolicy(cypher)], "more", "c1")).toBe(0);
  });
});

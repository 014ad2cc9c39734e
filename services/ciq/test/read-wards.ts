import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { type Json, openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";

export const at = "2026-01-01T00:00:00.000Z";

export const pk = newProjectKey(randomBytes(8));

const seed: Seed = {
  nodes: {
    "Nurse/n1": { name: "Ada" },
    "Nurse/n2": { name: "Bo" },
    "Ward/w1": { name: "East", secret: "b" },
    "Ward/w2": { name: "East", secret: "a" },
    "Chart/c1": {
      title: "One",
      risk: 1,
      weight: 1.5,
      open: true,
      tags: ["a", "b"],
      "title.metadata.source": "s",
      "title.metadata.note": "n",
      "title.update_time": at,
      "scan.external_value": "resolver",
      "scan.metadata.source": "x",
      "_p.type": "paper",
      "_p._own": 1,
      create_time: at,
      update_time: at,
    },
    "Chart/c2": { title: "Two", risk: 5, create_time: at, update_time: at },
    "Chart/c3": { risk: 5 },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n1", "ON", "Ward/w2"],
    ["Ward/w1", "HOLDS", "Chart/c1", { since: 2020, _create_time: at, _update_time: at, "_p._x": 1 }],
    ["Ward/w1", "HOLDS", "Chart/c2", { since: 2021 }],
    ["Ward/w2", "HOLDS", "Chart/c3", { since: 2022 }],
  ],
};

export let graph: Graph;

export let here: TestProject;

let there: TestProject;

export const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

export const policy = (reads: Json, condition: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: reads,
});

/** Gives the tests of a file the wards of `seed`, once here and once in another project. */
export const useWards = (): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
    here = await openProject(graph, seed, pk);
    there = await openProject(graph, seed);
    const scores = {
      _final_score: 0.5,
      _validity: 1,
      _verification: 0.1,
      _freshness: 0.2,
      _origin: 0.3,
      _completeness: 0.4,
    };
    await here.run(
      `MATCH (c:_Node {_key: $c}) CREATE (c)-[:_HAS]->(t:_Node:_P__${pk}:_TrustScore__${pk}) SET t = $fields`,
      { c: `${pk}/Chart/c1`, fields: { _key: `${pk}/_TrustScore/c1`, id: `${pk}-score`, ...scores } },
    );
  });
  afterAll(async () => {
    await here.drop();
    await there.drop();
    await graph.close();
  });
};

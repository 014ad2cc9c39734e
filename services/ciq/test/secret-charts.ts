import { expect } from "@jest/globals";
import type { QueryExplanation } from "@ikg/contracts";
import type { Call, Json, Seed } from "./ciq-under-test.ts";
import { here, recreateProject, useSeededProject } from "./seeded-project.ts";

export { graph, here, pk } from "./seeded-project.ts";

/** One nurse on two wards with three charts; a value of the graph is recognized by its text. */
export const seed: Seed = {
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

export const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

export const policy = (condition: Json = {}): Json => ({
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

export const ids = { nodes: ["chart.property.risk"] };

export const risk = (operator: string, value: unknown): Json => ({
  attribute: "chart.property.risk",
  operator,
  value,
});

/** Writes of every kind for the two charts of least risk. */
export const writingQuery: Json = {
  filter: risk("<", 5),
  upsert_nodes: [
    { name: "chart", properties: [{ type: "seen", value: true }] },
    { name: "note", type: "Note", external_id: "note-1" },
  ],
  upsert_relationships: [{ name: "about", source: "note", target: "chart", type: "ABOUT" }],
  delete_nodes: ["w.property.floor"],
  delete_relationships: ["h"],
  nodes: ["chart.property.seen"],
};

/** The explanation; the answer beside it is that of the same question without one. */
export const why = async (condition: Json, query: Json = ids, call: Call = {}): Promise<QueryExplanation> => {
  const plain = await here.ask(policy(condition), query, call);
  expect(plain).not.toHaveProperty("explanation");
  const { explanation, ...answer } = await here.ask(policy(condition), query, { ...call, explain: true });
  expect(answer).toEqual(plain);
  if (explanation === undefined) throw new Error("no explanation");
  // It says how much the graph holds, never what. A gid may hold any character of these patterns.
  const text = JSON.stringify(explanation).replaceAll(/gid:[\w-]+/g, "gid");
  expect(text).not.toMatch(/secret|_Node|__|\$__row/);
  return explanation;
};

/** Drops the project, and creates it again. */
export const recreate = (): Promise<void> => recreateProject(seed);

/** Gives each test the charts of `seed`. */
export const useSecretCharts = (): void => useSeededProject(seed);

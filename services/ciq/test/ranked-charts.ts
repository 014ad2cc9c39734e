import type { Json, Seed } from "./ciq-under-test.ts";
import { useSeededProject } from "./seeded-project.ts";

export { graph, here, pk } from "./seeded-project.ts";

/** One nurse, one ward, five charts. */
export const seed: Seed = {
  nodes: {
    "Nurse/n1": {},
    "Nurse/n2": {},
    "Ward/w1": {},
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`Chart/c${n}`, { rank: 10 - n, hits: 0 }])),
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n2", "ON", "Ward/w1"],
    ...[1, 2, 3, 4, 5].map((n) => ["Ward/w1", "HOLDS", `Chart/c${n}`, { since: n }] as const),
  ],
};

export const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

export const policy = (changes: Json = {}, condition: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: { nodes: ["chart.*"] },
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
  allowed_deletes: { nodes: ["chart", "chart.*"], relationships: ["h"] },
  ...changes,
});

export const note = (id: string): Json => ({ name: "note", type: "Note", external_id: id });

export const setHits = (value: unknown): Json => ({ name: "chart", properties: [{ type: "hits", value }] });

/** Matches the first chart once for each value of `$list`. */
export const rowPerValue: Json = policy(
  {},
  {
    cypher:
      "MATCH (subject:Nurse) UNWIND $list AS x MATCH (chart:Chart {external_id: 'c1'}), (:Ward)-[h]->(chart)",
  },
);

export const ids = (rows: readonly { readonly nodes: Json }[]): unknown[] =>
  rows.map(({ nodes }) => nodes["chart.external_id"]);

/** Gives each test the charts of `seed`. */
export const useRankedCharts = (): void => useSeededProject(seed);

/** A policy that lets queries write, and entries of such queries. */
import { compileCiq } from "../src/policy/compile.ts";
import { compileQuery } from "../src/query/query.ts";

export type Json = Readonly<Record<string, unknown>>;

const cypher =
  "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)-[hops*1..2]->(x), (again:Chart) " +
  "MATCH (chart)-[:IN]->(later) MATCH (later:Chart) OPTIONAL MATCH (x:Chart) " +
  "WITH subject, w, h, chart, hops, x, later, w.external_id AS ward, coalesce(w, chart) AS again";

/** A CIQ policy that allows some upserts and deletes. */
export const policy = (changes: Json = {}): Json => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Nurse" },
  condition: { cypher },
  allowed_reads: { nodes: ["w.property.name"], relationships: ["h.since"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart", "x"], node_types: ["Note"] },
    relationships: {
      relationship_types: [
        { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: { nodes: ["chart.*", "w"], relationships: ["h.note", "h"] },
  ...changes,
});

export const compiled = (json: Json) => {
  const checked = compileCiq(JSON.stringify(json));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

/** The faults of a query under that policy. */
export const faults = (query: Json, changes: Json = {}): readonly string[] => {
  const checked = compileQuery(JSON.stringify(query), compiled(policy(changes)));
  return checked.ok ? [] : checked.faults;
};

export const value = { type: "state", value: 1 };
export const chart = (...properties: unknown[]): Json => ({ upsert_nodes: [{ name: "chart", properties }] });
export const note = (changes: Json = {}): Json => ({
  name: "note",
  type: "Note",
  external_id: "$id",
  properties: [{ type: "text", value: "$text" }],
  ...changes,
});
export const signed = (changes: Json = {}): Json => ({
  name: "s",
  source: "subject",
  target: "chart",
  type: "SIGNED",
  ...changes,
});

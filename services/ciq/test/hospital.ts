import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { type Json, openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";

export const old = "2020-01-01T00:00:00.000Z";

const seed: Seed = {
  nodes: {
    "Nurse/n1": { name: "Ada", assigned: ["c1", "c2"], update_time: old },
    "Nurse/n2": { name: "Bo", update_time: old },
    "Ward/w1": { name: "East", update_time: old },
    "Chart/c1": {
      title: "One",
      state: "open",
      "state.metadata.source": "old",
      "state.metadata.note": "kept",
      "state.update_time": old,
      "scan.external_value": "resolver",
      draft: "d1",
      "draft.metadata.source": "x",
      _key_extra: "ours",
      update_time: old,
      create_time: old,
    },
    "Chart/c2": { title: "Two", draft: "d2", update_time: old, create_time: old },
    "Chart/c3": { title: "Three", update_time: old, create_time: old },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ["Nurse/n2", "ON", "Ward/w1"],
    ["Ward/w1", "HOLDS", "Chart/c1", { since: 2020, note: "n", _create_time: old, _update_time: old }],
    ["Ward/w1", "HOLDS", "Chart/c2", { since: 2021 }],
    ["Ward/w1", "HOLDS", "Chart/c3", { since: 2022 }],
  ],
};

let graph: Graph;

export let here: TestProject;

let there: TestProject;

let untouched = "";

// One key for all tests, so that the database plans each statement once.
const pk = newProjectKey(randomBytes(8));

export const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

export const lists = {
  allowed_reads: { nodes: ["chart.*", "w.property.name"], relationships: ["h"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart", "w"], node_types: ["Note", "Chart"] },
    relationships: {
      relationship_types: [
        { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: {
    nodes: ["chart", "chart.*", "chart.property.draft"],
    relationships: ["h", "h.*", "h.note"],
  },
};

export const nurse = (condition: Json = {}, changes: Json = {}): Json => ({
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  ...lists,
  ...changes,
});

/** A new node whose id is the parameter `$id`. */
export const newNote = {
  name: "note",
  type: "Note",
  external_id: "$id",
  properties: [{ type: "text", value: "t" }],
};

export const only = (id: string) => ({ attribute: "chart.external_id", operator: "=", value: id });

export const state = { type: "state", value: "signed" };

/** Sets properties of the first chart. */
export const setState = (...properties: Json[]): Json => ({
  filter: only("c1"),
  upsert_nodes: [{ name: "chart", properties }],
});

/** Gives each test the hospital of `seed`, and proves that the one of another tenant has not changed. */
export const useHospital = (): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
    // The other tenant has the same data; nothing of it may ever change.
    there = await openProject(graph, seed);
    untouched = await there.picture();
  });
  beforeEach(async () => {
    here = await openProject(graph, seed, pk);
  });
  afterEach(async () => {
    if ((await there.picture()) !== untouched) throw new Error("the other tenant's graph has changed");
    await here.drop();
  });
  afterAll(async () => {
    await there.drop();
    await graph.close();
  });
};

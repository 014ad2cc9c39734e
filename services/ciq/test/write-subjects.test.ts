import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { newProjectKey } from "@ikg/physical";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Json, openProject } from "./ciq-under-test.ts";
import { useRankedCharts, seed, graph, here, policy } from "./ranked-charts.ts";

useRankedCharts();

describe("who the subject is", () => {
  it("an unconstrained person is the token's, in writes too", async () => {
    const own = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      { cypher: "MATCH (subject:Nurse)" },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "mood", value: "good" }] }],
      nodes: ["subject.external_id", "subject.property.mood"],
    };
    expect(await here.execute(own, query, { token: { sub: "n2" } })).toEqual([
      { nodes: { "subject.external_id": "n2", "subject.property.mood": "good" } },
    ]);
    expect((await here.node("Nurse/n1"))?.fields).not.toHaveProperty("mood");
  });

  it("also where a WITH comes before the text binds the subject", async () => {
    const later = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      { cypher: "MATCH (w:Ward) WITH w MATCH (subject)-[:ON]->(w)" },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "mood", value: "good" }] }],
      nodes: ["subject.external_id"],
    };
    expect(await here.execute(later, query)).toEqual([{ nodes: { "subject.external_id": "n1" } }]);
  });

  it("links the calling application, and nothing else of the platform", async () => {
    const link = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application), (w:Ward)" },
      allowed_upserts: {
        relationships: {
          relationship_types: [
            { type: "SERVES", source_node_label: "_Application", target_node_label: "Ward" },
          ],
        },
      },
    };
    const query = {
      upsert_relationships: [{ name: "s", source: "subject", target: "w", type: "SERVES" }],
      nodes: ["subject.external_id", "w.external_id"],
      relationships: ["s"],
    };
    const other = await openProject(graph, seed, newProjectKey(randomBytes(8)));
    const [row, ...more] = await here.execute(link, query, { token: null });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      nodes: { "subject.external_id": here.application, "w.external_id": "w1" },
      relationships: { s: { Type: "SERVES", Props: {} } },
    });
    expect(await other.picture()).not.toContain("SERVES");
    await other.drop();
  });
});

describe("names that a query writes", () => {
  it("count against the limits of the project: what exceeds them is refused, and nothing is written", async () => {
    const small = await openProject(
      graph,
      {
        nodes: { "Nurse/n1": {}, "Ward/w1": {}, "Chart/c1": {} },
        edges: seed.edges.filter(([a, , b]) => !/n2|c[2-5]/.test(a + b)),
      },
      undefined,
      {
        property_names: 3,
        node_types: 3,
        relationship_types: 3,
      },
    );
    const properties = (...types: readonly string[]) => types.map((type) => ({ type, value: 1 }));
    const write = (...types: readonly string[]) => ({
      upsert_nodes: [{ name: "chart", properties: properties(...types) }],
    });
    // The seed has `since`.
    await small.execute(policy(), write("one"));
    const names = async (query: Json): Promise<readonly string[]> => {
      // Counting what the graph had before takes a moment.
      const { code, errors } = await eventually(
        () => small.refusal(policy(), query),
        (refusal) => refusal.code !== "unavailable",
        { withinMs: 60_000, everyMs: 20 },
      );
      return [code, ...errors];
    };
    expect(await names(write("one", "two", "three"))).toEqual([
      "unprocessable",
      "query.upsert_nodes[0]: the project's graph has 2 property names and cannot take 2 more: two and others (limit property_names, 3)",
    ]);
    const note = {
      upsert_nodes: [{ name: "note", type: "Note", external_id: "x" }],
      upsert_relationships: [{ name: "about", type: "ABOUT", source: "note", target: "chart" }],
    };
    expect(await names(note)).toEqual([
      "unprocessable",
      "query.upsert_nodes[0]: the project's graph has 3 node types and cannot take 1 more: Note (limit node_types, 3)",
    ]);
    expect((await small.node("Chart/c1"))?.fields["two"]).toBeUndefined();
    expect(await small.node("Note/x")).toBeUndefined();
    await small.execute(policy(), write("one", "two"));
    await small.drop();
  });
});

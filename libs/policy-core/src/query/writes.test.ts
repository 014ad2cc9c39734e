import { describe, expect, it } from "@jest/globals";
import { chart, faults, value, note, signed, type Json } from "../../test/writing-queries.ts";

describe("deletes", () => {
  it.each<[Json]>([
    [{ delete_nodes: ["chart.*"] }],
    [{ delete_nodes: ["chart.property.x", "chart.property.y.metadata.k", "w"] }],
    [{ delete_relationships: ["h.note", "h"] }],
  ])("takes %j", (query) => {
    expect(faults(query)).toEqual([]);
  });

  it.each<[Json, readonly string[]]>([
    [{ delete_nodes: ["chart"] }, ["query.delete_nodes[0]: chart is not in allowed_deletes.nodes"]],
    [
      { delete_nodes: ["w", "w.property.x"] },
      ["query.delete_nodes[1]: w.property.x is not in allowed_deletes.nodes"],
    ],
    [{ delete_nodes: ["chart.external_id"] }, ["query.delete_nodes[0]: chart.external_id is protected"]],
    [{ delete_nodes: ["chart.property.type"] }, ["query.delete_nodes[0]: chart.property.type is protected"]],
    [{ delete_nodes: ["chart.trust_score.*"] }, ["query.delete_nodes[0]: trust scores cannot be deleted"]],
    [
      { delete_nodes: ["chart.property.*"] },
      ["query.delete_nodes[0]: a delete names a node, all of it by .*, a property or one metadata key"],
    ],
    [{ delete_nodes: ["nobody"] }, ['query.delete_nodes[0]: "nobody" is not bound after the pattern']],
    [
      { delete_relationships: ["h.*", "h.since"] },
      [
        "query.delete_relationships[0]: h.* is not in allowed_deletes.relationships",
        "query.delete_relationships[1]: h.since is not in allowed_deletes.relationships",
      ],
    ],
    [
      { delete_relationships: ["h.update_time"] },
      ["query.delete_relationships[0]: h.update_time is protected"],
    ],
    [
      { delete_relationships: ["hops"] },
      ['query.delete_relationships[0]: "hops" is a path of several hops, which can only be read'],
    ],
    [
      { ...chart(value), delete_nodes: ["chart.property.state"] },
      ["query.delete_nodes[0]: chart.property.state is both upserted and deleted"],
    ],
    [
      { ...chart(value), delete_nodes: ["chart.*"] },
      ["query.delete_nodes[0]: chart.* is both upserted and deleted"],
    ],
    [
      {
        ...chart({ ...value, metadata: [{ type: "k", value: 1 }] }),
        delete_nodes: ["chart.property.state.metadata.k"],
      },
      ["query.delete_nodes[0]: chart.property.state.metadata.k is both upserted and deleted"],
    ],
    [
      { upsert_relationships: [{ name: "h", properties: [value] }], delete_relationships: ["h"] },
      ["query.delete_relationships[0]: h is both upserted and deleted"],
    ],
  ])("refuses %j", (query, expected) => {
    expect(faults(query)).toEqual(expected);
  });

  it("may delete other metadata of a property that the query writes", () => {
    expect(faults({ ...chart(value), delete_nodes: ["chart.property.state.metadata.k"] })).toEqual([]);
  });
});

describe("the shape of a query", () => {
  it.each<[Json, readonly string[]]>([
    [{}, ["query: at least one of its lists must have an entry"]],
    [{ upsert_nodes: [], nodes: [] }, ["query: at least one of its lists must have an entry"]],
    [{ ...chart(value), batch_read: true }, ["query.batch_read: batch_read is for queries that only read"]],
    [{ upsert_nodes: {} }, ["query.upsert_nodes: array expected"]],
    [{ upsert_nodes: [1] }, ["query.upsert_nodes[0]: object expected"]],
    [{ upsert_nodes: [{ ...note(), where: 1 }] }, ["query.upsert_nodes[0].where: unknown key"]],
  ])("refuses %j", (query, expected) => {
    expect(faults(query)).toEqual(expected);
  });

  it("reports all faults of a stage together, those of later ones not", () => {
    const query = {
      upsert_nodes: [{ name: "chart", properties: [{ type: "id", value: null }] }, note({ external_id: 1 })],
      upsert_relationships: [signed({ type: "x" })],
      delete_nodes: ["nobody"],
    };
    expect(faults(query)).toEqual([
      "query.upsert_nodes[0].properties[0]: exactly one of value and external_value expected",
      "query.upsert_nodes[1].external_id: string of 1-256 characters expected",
      "query.upsert_relationships[0].type: a relationship type in upper case",
    ]);
  });
});

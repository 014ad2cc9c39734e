import { describe, expect, it } from "@jest/globals";
import { parse } from "../parse.ts";
import { Problem } from "../problems.ts";
import { UpsertNodesRequest } from "./upsert-nodes.ts";
import { UpsertRelationshipsRequest } from "./upsert-relationships.ts";
import type { z } from "zod";

/** The faults of a body, [] when it has none. */
const faults = (schema: z.ZodType, body: unknown): readonly string[] => {
  try {
    parse(schema, body);
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.errors;
    throw error;
  }
};

const node = (more: object = {}) => ({ external_id: "x", type: "Car", ...more });
const edge = (properties: unknown) => ({ source: node(), target: node(), type: "OWNS", properties });

describe("UpsertNodesRequest", () => {
  it("keeps what the contract names, drops the rest, and takes null for absent", () => {
    const parsed = parse(UpsertNodesRequest, {
      nodes: [
        node({ location: null, labels: null, is_identity: null, more: 1 }),
        node({ properties: [{ type: "p", value: 0, external_value: null, metadata: null, x: 1 }] }),
      ],
      more: 1,
    });
    expect(parsed).toEqual({
      nodes: [
        { external_id: "x", type: "Car" },
        { external_id: "x", type: "Car", properties: [{ type: "p", value: 0 }] },
      ],
    });
  });

  it("brings times to UTC and keeps any key of custom metadata", () => {
    const custom = JSON.parse('{"__proto__": 1, "constructor": ["a"], "toString": true}') as object;
    const { nodes } = parse(UpsertNodesRequest, {
      nodes: [
        node({
          properties: [
            {
              type: "__proto__",
              value: "",
              metadata: { verified_time: "2026-01-01T00:30:00+01:00", custom_metadata: custom },
            },
          ],
        }),
      ],
    });
    const metadata = nodes[0]?.properties?.[0]?.metadata;
    expect(metadata?.verified_time).toBe("2025-12-31T23:30:00.000Z");
    expect([...(metadata?.custom_metadata ?? [])]).toEqual([
      ["__proto__", 1],
      ["constructor", ["a"]],
      ["toString", true],
    ]);
  });

  it("tells the length of a list before it looks at the items", () => {
    expect(faults(UpsertNodesRequest, { nodes: Array.from({ length: 100_000 }, () => null) })).toEqual([
      "nodes: 1-250 items",
    ]);
    expect(faults(UpsertNodesRequest, { nodes: [] })).toEqual(["nodes: 1-250 items"]);
    expect(faults(UpsertNodesRequest, {})).toEqual(["nodes: required"]);
    expect(faults(UpsertNodesRequest, { nodes: {} })).toEqual(["nodes: array expected"]);
  });

  it("reports every fault, each once, with its place", () => {
    expect(
      faults(UpsertNodesRequest, {
        nodes: [
          null,
          node({ type: "C", labels: ["ok", "Good", "no-good"], is_identity: "yes" }),
          node({
            location: "x",
            properties: [
              { type: "a", value: 1 },
              { type: "a", value: [1, "x"] },
              { type: 5 },
              {
                type: "b",
                value: 1,
                external_value: "r",
                metadata: { assurance_level: "2", source: 1, custom_metadata: [] },
              },
            ],
          }),
        ],
      }),
    ).toEqual([
      "nodes[0]: object expected",
      "nodes[1].type: 2-64 letters, digits and underscores, no digit first",
      "nodes[1].is_identity: boolean expected",
      "nodes[1].labels[2]: 2-64 letters, digits and underscores, no digit first",
      "nodes[2].location: 2-32 characters",
      "nodes[2].properties[1].value: entries of one kind expected",
      "nodes[2].properties[2].type: string expected",
      "nodes[2].properties[2]: exactly one of value and external_value expected",
      "nodes[2].properties[3].metadata.source: string expected",
      "nodes[2].properties[3].metadata.assurance_level: number expected",
      "nodes[2].properties[3].metadata.custom_metadata: object expected",
      "nodes[2].properties[3]: exactly one of value and external_value expected",
      "nodes[2].properties[1].type: given twice",
    ]);
  });

  it("limits custom metadata to 64 keys that are names", () => {
    const withKeys = (custom_metadata: object) =>
      faults(UpsertNodesRequest, {
        nodes: [node({ properties: [{ type: "p", value: 1, metadata: { custom_metadata } }] })],
      });
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect(withKeys(keys(64))).toEqual([]);
    expect(withKeys(keys(65))).toEqual(["nodes[0].properties[0].metadata.custom_metadata: at most 64 keys"]);
    for (const key of ["a.b", "", "1a", "a`", "x".repeat(129)])
      expect(withKeys({ [key]: 1 })).toHaveLength(1);
    for (const key of ["source", "verified_time", "assurance_level"])
      expect(withKeys({ [key]: 1 })).toHaveLength(1);
  });
});

describe("UpsertRelationshipsRequest", () => {
  const properties = (...entries: object[]) =>
    faults(UpsertRelationshipsRequest, { relationships: [edge(entries)] });

  it("takes scalars and lists, and the discriminating entry with its property", () => {
    expect(properties({ type: "since", value: 2020 }, { type: "tags", value: ["a"] })).toEqual([]);
    expect(properties({ type: "discriminating_property", value: "k" }, { type: "k", value: 1 })).toEqual([]);
  });

  it("refuses what a relationship cannot have", () => {
    expect(properties({ type: "p", external_value: "r" })).toEqual([
      "relationships[0].properties[0].value: string, number, boolean or a list of those expected",
      "relationships[0].properties[0].external_value: not possible on a relationship",
    ]);
    expect(properties({ type: "p", value: 1, metadata: { source: "s" } })).toEqual([
      "relationships[0].properties[0].metadata: not possible on a relationship",
    ]);
    expect(
      properties({ type: "discriminating_property", value: ["k"] }, { type: "k", value: 1 }),
    ).toHaveLength(1);
    expect(properties({ type: "p", value: 1 }, { type: "p", value: 1 })).toEqual([
      "relationships[0].properties[1].type: given twice",
    ]);
    expect(properties(null as unknown as object)).toEqual([
      "relationships[0].properties[0]: object expected",
    ]);
  });

  it("lets a reserved type through to the answer 422", () => {
    const of = (type: string) =>
      faults(UpsertRelationshipsRequest, { relationships: [{ ...edge([]), type }] });
    expect([of("_HAS"), of("OWNS"), of("A1_B")]).toEqual([[], [], []]);
    for (const type of ["owns", "", "1A", "O-WNS", "X".repeat(129)]) expect(of(type)).toHaveLength(1);
  });
});

import { describe, expect, it } from "@jest/globals";
import { faults, value, note, signed, type Json } from "../../test/writing-queries.ts";

describe("upsert_relationships", () => {
  const existing = (...properties: unknown[]): Json => ({
    upsert_relationships: [{ name: "h", properties }],
  });
  it.each<[Json]>([
    [{ upsert_relationships: [signed()] }],
    [existing({ type: "external_id", value: "x" })],
    [{ upsert_nodes: [note()], upsert_relationships: [signed({ source: "note", type: "ABOUT" })] }],
    [
      {
        upsert_relationships: [
          signed({
            properties: [
              { type: "discriminating_property", value: "day" },
              { type: "day", value: "$d" },
            ],
          }),
        ],
      },
    ],
    // A later MATCH says what the node is.
    [{ upsert_relationships: [signed({ target: "later" })] }],
  ])("takes %j", (query) => {
    expect(faults(query)).toEqual([]);
  });

  const at = "query.upsert_relationships[0]";
  it.each<[Json, string]>([
    [existing(), `${at}.properties: 1 or more properties`],
    [existing({ type: "type", value: 1 }), `${at}.properties[0].type: type is protected`],
    [
      existing({ type: "a", value: 1, metadata: [] }),
      `${at}.properties[0].metadata: not possible on a relationship`,
    ],
    [
      existing({ type: "a", external_value: "r" }),
      `${at}.properties[0].external_value: not possible on a relationship`,
    ],
    [
      existing({ type: "discriminating_property", value: "a" }, { type: "a", value: 1 }),
      `${at}.properties[0].value: the property that distinguishes parallel relationships cannot be changed`,
    ],
    [
      { upsert_relationships: [signed({ properties: [{ type: "discriminating_property", value: "day" }] })] },
      `${at}.properties[0].value: the name of another property of this entry expected`,
    ],
    [
      {
        upsert_relationships: [
          signed({
            properties: [
              { type: "discriminating_property", value: "$p" },
              { type: "day", value: 1 },
            ],
          }),
        ],
      },
      `${at}.properties[0].value: the name of another property of this entry expected`,
    ],
    [
      { upsert_relationships: [{ name: "h", type: "HOLDS", properties: [value] }] },
      `${at}.type: must be absent: the name is an alias of the pattern`,
    ],
    [
      { upsert_relationships: [{ name: "h", source: "w", properties: [value] }] },
      `${at}.source: must be absent: the name is an alias of the pattern`,
    ],
    [
      { upsert_relationships: [{ name: "hops", properties: [value] }] },
      `${at}.name: "hops" is a path of several hops, which can only be read`,
    ],
    [
      { upsert_relationships: [{ name: "chart", properties: [value] }] },
      `${at}.name: "chart" is not a relationship`,
    ],
    [
      { upsert_relationships: [signed({ type: undefined })] },
      `${at}.type: required: the name is not an alias of the pattern`,
    ],
    [{ upsert_relationships: [signed({ type: "signed" })] }, `${at}.type: a relationship type in upper case`],
    [{ upsert_relationships: [signed({ type: "_HAS" })] }, `${at}.type: a relationship type in upper case`],
    [
      { upsert_relationships: [signed({ source: "nobody" })] },
      `${at}.source: "nobody" is neither a node of the pattern nor an entry of upsert_nodes`,
    ],
    [
      { upsert_relationships: [signed({ source: "ward" })] },
      `${at}.source: "ward" is neither a node of the pattern nor an entry of upsert_nodes`,
    ],
    [
      { upsert_relationships: [signed({ source: "Nurse" })] },
      `${at}.source: "Nurse" is neither a node of the pattern nor an entry of upsert_nodes`,
    ],
    [
      { upsert_relationships: [signed({ source: "chart", target: "subject" })] },
      `${at}: (Chart)-[SIGNED]->(Nurse) is not in allowed_upserts.relationships.relationship_types`,
    ],
    [
      { upsert_relationships: [signed({ type: "READ" })] },
      `${at}: (Nurse)-[READ]->(Chart) is not in allowed_upserts.relationships.relationship_types`,
    ],
    [{ upsert_relationships: [signed({ target: "x" })] }, `${at}.target: the pattern gives "x" no label`],
    [
      { upsert_relationships: [signed({ target: "again" })] },
      `${at}.target: the pattern gives "again" no label`,
    ],
    [
      { upsert_nodes: [note({ name: "s" })], upsert_relationships: [signed()] },
      `${at}.name: "s" is named twice`,
    ],
    [
      { upsert_relationships: Array.from({ length: 51 }, (_, n) => signed({ name: `s${n}` })) },
      "query.upsert_relationships: at most 50 entries",
    ],
  ])("refuses %j", (query, fault) => {
    expect(faults(query)).toContain(fault);
  });

  it.each([
    [
      "MATCH (subject:Nurse), (a:Chart) WITH subject MATCH (a:Ward)",
      `${at}: (Nurse)-[SIGNED]->(Ward) is not in allowed_upserts.relationships.relationship_types`,
    ],
    [
      "MATCH (subject:Nurse), (b:Chart) WITH subject, b AS a MATCH (a:Chart) WITH subject MATCH (subject)-->(a)",
      `${at}.target: the pattern gives "a" no label`,
    ],
  ])("takes the label of an alias from the pattern that binds it last: %s", (cypher, fault) => {
    const lists = {
      allowed_reads: undefined,
      allowed_deletes: undefined,
      allowed_upserts: {
        relationships: {
          relationship_types: [{ type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" }],
        },
      },
    };
    const changes = { condition: { cypher }, ...lists };
    expect(faults({ upsert_relationships: [signed({ target: "a" })] }, changes)).toEqual([fault]);
  });

  it("an existing relationship needs to be listed", () => {
    expect(faults(existing(value), { allowed_upserts: undefined })).toEqual([
      `${at}.name: h is not in allowed_upserts.relationships.existing_relationships`,
    ]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { compileQuery } from "./query.ts";
import { policy, compiled, faults, value, chart, note, type Json } from "../../test/writing-queries.ts";

describe("upsert_nodes", () => {
  it.each<[Json]>([
    [chart(value)],
    [
      chart({
        type: "state",
        value: "$v",
        metadata: [{ type: "verified_time", value: "2026-01-01T00:00:00Z" }],
      }),
    ],
    [chart({ type: "a", external_value: "resolver" }, { type: "b", external_value: "$name" })],
    [chart({ type: "a", value: ["x", "y"] }, { type: "b", value: [] }, { type: "c", value: false })],
    [{ upsert_nodes: [note()] }],
    [
      {
        upsert_nodes: [
          note({ external_id: "$token.sub", labels: ["Red", "Identity"], properties: undefined }),
        ],
      },
    ],
  ])("takes %j", (query) => {
    expect(faults(query)).toEqual([]);
  });

  const at = "query.upsert_nodes[0]";
  const property = `${at}.properties[0]`;
  it.each<[Json, string]>([
    [chart(), `${at}.properties: 1 or more properties`],
    [chart({ type: "id", value: 1 }), `${property}.type: id is protected`],
    [chart({ type: "_service", value: 1 }), `${property}.type: _service is protected`],
    [chart({ type: "a b", value: 1 }), `${property}.type: a property name`],
    [chart({ type: "a" }), `${property}: exactly one of value and external_value expected`],
    [chart({ type: "a", value: null }), `${property}: exactly one of value and external_value expected`],
    [
      chart({ type: "a", value: 1, external_value: "r" }),
      `${property}: exactly one of value and external_value expected`,
    ],
    [
      chart({ type: "a", value: { b: 1 } }),
      `${property}.value: string, number, boolean or a list of those expected`,
    ],
    [chart({ type: "a", value: [1, "x"] }), `${property}.value: entries of one kind expected`],
    [chart({ type: "a", value: ["$v"] }), `${property}.value: an array holds literals only`],
    [
      chart({ type: "a", value: "@w.property.name" }),
      `${property}.value: a path is not allowed here; write a literal, $name or $token.<claim>`,
    ],
    [
      chart({ type: "a", value: "$v.w" }),
      `${property}.value: input parameters have no members here; name the parameter alone`,
    ],
    [
      chart({ type: "a", value: "$__v" }),
      `${property}.value: parameter "$__v" is reserved and cannot be referenced`,
    ],
    [
      chart({ type: "a", external_value: "$token.sub" }),
      `${property}.external_value: a resolver is named by a literal or $name`,
    ],
    [
      chart({ type: "a", external_value: "" }),
      `${property}.external_value: string of 1-254 characters expected`,
    ],
    [chart({ type: "$a", value: 1 }), `${property}.type: a property name`],
    [chart({ type: "a", value: 1, unit: "kg" }), `${property}.unit: unknown key`],
    [chart({ ...value, metadata: [{ type: "source" }] }), `${property}.metadata[0].value: required`],
    [
      chart({ ...value, metadata: [{ type: "verified_time", value: "2026-02-30T00:00:00Z" }] }),
      `${property}.metadata[0].value: RFC 3339 time with an offset expected`,
    ],
    [
      chart({ ...value, metadata: [{ type: "assurance_level", value: 1.5 }] }),
      `${property}.metadata[0].value: integer expected`,
    ],
    [
      chart({
        ...value,
        metadata: [
          { type: "a", value: 1 },
          { type: "a", value: 2 },
        ],
      }),
      `${property}.metadata[1].type: given twice`,
    ],
    [chart(value, value), `${at}.properties[1].type: given twice`],
    [
      { upsert_nodes: [{ name: "chart", type: "Chart", properties: [value] }] },
      `${at}.type: must be absent: the name is an alias of the pattern`,
    ],
    [
      { upsert_nodes: [{ name: "chart", external_id: "x", labels: ["A1"], properties: [value] }] },
      `${at}.labels: must be absent: the name is an alias of the pattern`,
    ],
    [
      { upsert_nodes: [{ name: "fresh", properties: [value] }] },
      `${at}.type: required: the name is not an alias of the pattern`,
    ],
    [
      { upsert_nodes: [note({ external_id: undefined })] },
      `${at}.external_id: required: the name is not an alias of the pattern`,
    ],
    [{ upsert_nodes: [note({ external_id: "" })] }, `${at}.external_id: string of 1-256 characters expected`],
    [
      { upsert_nodes: [note({ external_id: "x".repeat(257) })] },
      `${at}.external_id: string of 1-256 characters expected`,
    ],
    [{ upsert_nodes: [note({ external_id: 5 })] }, `${at}.external_id: string of 1-256 characters expected`],
    [
      { upsert_nodes: [note({ type: "_Application" })] },
      `${at}.type: a node type that does not start with _`,
    ],
    [{ upsert_nodes: [note({ type: "$t" })] }, `${at}.type: a node type`],
    [
      { upsert_nodes: [note({ labels: ["_Node"] })] },
      `${at}.labels[0]: a node type that does not start with _`,
    ],
    [{ upsert_nodes: [note({ name: "__n" })] }, `${at}.name: the name "__n" is reserved`],
    [{ upsert_nodes: [note({ name: "ward" })] }, `${at}.name: "ward" is not a node`],
    [{ upsert_nodes: [note(), note()] }, `query.upsert_nodes[1].name: "note" is named twice`],
    [
      { upsert_nodes: [note({ type: "Chart" })] },
      `${at}.type: Chart is not in allowed_upserts.nodes.node_types`,
    ],
    [
      { upsert_nodes: [{ name: "w", properties: [value] }] },
      `${at}.name: w is not in allowed_upserts.nodes.existing_nodes`,
    ],
    [
      { upsert_nodes: Array.from({ length: 51 }, (_, n) => note({ name: `n${n}` })) },
      "query.upsert_nodes: at most 50 entries",
    ],
  ])("refuses %j", (query, fault) => {
    expect(faults(query)).toContain(fault);
  });

  it("refuses a name that the pattern dropped", () => {
    const condition = { cypher: "MATCH (subject:Nurse)-[:ON]->(w:Ward) WITH subject" };
    const lists = {
      allowed_reads: undefined,
      allowed_deletes: undefined,
      allowed_upserts: { nodes: { node_types: ["Note"] } },
    };
    expect(faults({ upsert_nodes: [note({ name: "w" })] }, { condition, ...lists })).toEqual([
      'query.upsert_nodes[0].name: "w" is a name of the pattern that is not bound after it',
    ]);
  });

  it("needs the parameters of its values, and of an external id a text", () => {
    const query = {
      upsert_nodes: [
        note({
          properties: [
            {
              type: "text",
              value: "$text",
              metadata: [
                { type: "source", value: "$src" },
                { type: "k", value: "$token.x" },
              ],
            },
          ],
        }),
        {
          name: "chart",
          properties: [
            { type: "a", external_value: "$resolver" },
            { type: "b", value: "$_appId" },
            { type: "c", value: "a $5 bill" },
          ],
        },
      ],
    };
    const checked = compileQuery(JSON.stringify(query), compiled(policy()));
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const { needs } = checked.value;
    expect(needs.parameters).toEqual(["id", "text", "src", "resolver"]);
    expect([...(needs.parameterChecks.get("id") ?? [])]).toEqual(["external_id"]);
    expect(needs.readsToken).toBe(true);
  });
});

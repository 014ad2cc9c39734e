import { describe, expect, it } from "@jest/globals";
import { compileCiq } from "../policy/compile.ts";
import { compileQuery } from "./query.ts";

type Json = Readonly<Record<string, unknown>>;

const cypher =
  "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)-[hops*1..2]->(x), (again:Chart) " +
  "MATCH (chart)-[:IN]->(later) MATCH (later:Chart) OPTIONAL MATCH (x:Chart) " +
  "WITH subject, w, h, chart, hops, x, later, w.external_id AS ward, coalesce(w, chart) AS again";

const policy = (changes: Json = {}): Json => ({
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

const compiled = (json: Json) => {
  const checked = compileCiq(JSON.stringify(json));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const faults = (query: Json, changes: Json = {}): readonly string[] => {
  const checked = compileQuery(JSON.stringify(query), compiled(policy(changes)));
  return checked.ok ? [] : checked.faults;
};

const value = { type: "state", value: 1 };
const chart = (...properties: unknown[]): Json => ({ upsert_nodes: [{ name: "chart", properties }] });
const note = (changes: Json = {}): Json => ({
  name: "note",
  type: "Note",
  external_id: "$id",
  properties: [{ type: "text", value: "$text" }],
  ...changes,
});
const signed = (changes: Json = {}): Json => ({
  name: "s",
  source: "subject",
  target: "chart",
  type: "SIGNED",
  ...changes,
});

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
      `${property}.value: a path cannot stand here; write a literal, $name or $token.<claim>`,
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
      `${at}.type: required: the name is no alias of the pattern`,
    ],
    [
      { upsert_nodes: [note({ external_id: undefined })] },
      `${at}.external_id: required: the name is no alias of the pattern`,
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
    expect([...(needs.demands.get("id") ?? [])]).toEqual(["external_id"]);
    expect(needs.readsToken).toBe(true);
  });
});

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
      `${at}.properties[0].value: what tells a relationship from parallel ones cannot be changed`,
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
      `${at}.type: required: the name is no alias of the pattern`,
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

  it("takes the label of an alias from the pattern that binds it last", () => {
    const condition = { cypher: "MATCH (subject:Nurse), (a:Chart) WITH subject MATCH (a:Ward)" };
    const lists = {
      allowed_reads: undefined,
      allowed_deletes: undefined,
      allowed_upserts: {
        relationships: {
          relationship_types: [{ type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" }],
        },
      },
    };
    expect(faults({ upsert_relationships: [signed({ target: "a" })] }, { condition, ...lists })).toEqual([
      `${at}: (Nurse)-[SIGNED]->(Ward) is not in allowed_upserts.relationships.relationship_types`,
    ]);
  });

  it("an existing relationship needs to be listed", () => {
    expect(faults(existing(value), { allowed_upserts: undefined })).toEqual([
      `${at}.name: h is not in allowed_upserts.relationships.existing_relationships`,
    ]);
  });
});

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
    [{}, ["query: at least one of its lists must name something"]],
    [{ upsert_nodes: [], nodes: [] }, ["query: at least one of its lists must name something"]],
    [{ ...chart(value), batch_read: true }, ["query.batch_read: a query that writes is no batch read"]],
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

describe("write echo", () => {
  const reading = (writes: Json, nodes: readonly string[], relationships: readonly string[] = []) =>
    faults({ ...writes, nodes, relationships }, { allowed_reads: undefined });
  const refusedOf = (paths: readonly string[], list = "nodes"): readonly string[] =>
    paths.map((path, index) => `query.${list}[${index}]: ${path} is not in allowed_reads.${list}`);
  const noted = { upsert_nodes: [note({ properties: [{ ...value, metadata: [{ type: "k", value: 1 }] }] })] };

  it("a new node: itself, system fields, and what the query set", () => {
    const own = [
      "note",
      "note.external_id",
      "note.id",
      "note.create_time",
      "note.property.state",
      "note.property.state.value",
      "note.property.state.metadata.k",
    ];
    expect(reading(noted, own)).toEqual([]);
    const other = [
      "note.property.other",
      "note.property.state.metadata.j",
      "note.*",
      "note.property.*",
      "note.property.state.*",
      "note.trust_score._origin",
    ];
    expect(reading(noted, other)).toEqual(refusedOf(other));
  });

  it("a property of an existing alias: the value, written metadata, the external id", () => {
    const writes = chart({ ...value, metadata: [{ type: "k", value: 1 }] });
    expect(
      reading(writes, ["chart.property.state", "chart.property.state.metadata.k", "chart.external_id"]),
    ).toEqual([]);
    const other = [
      "chart",
      "chart.type",
      "chart.property.other",
      "chart.property.state.metadata.j",
      "chart.*",
    ];
    expect(reading(writes, other)).toEqual(refusedOf(other));
  });

  it("a new relationship with its properties, and the external ids of its ends", () => {
    const writes = { upsert_relationships: [signed()] };
    expect(reading(writes, ["subject.external_id", "chart.external_id"], ["s", "s.*", "s.anything"])).toEqual(
      [],
    );
    expect(reading(writes, ["subject", "chart.id"])).toEqual(refusedOf(["subject", "chart.id"]));
    expect(reading(writes, [], ["h"])).toEqual(refusedOf(["h"], "relationships"));
  });

  it("an updated relationship with its properties", () => {
    const writes = { upsert_relationships: [{ name: "h", properties: [value] }] };
    expect(reading(writes, [], ["h", "h.since", "h.*"])).toEqual([]);
    expect(reading(writes, ["chart.external_id"])).toEqual(refusedOf(["chart.external_id"]));
  });

  it("a deleted node or relationship: the external id and the deleted paths", () => {
    const writes = { delete_nodes: ["w", "chart.property.x"], delete_relationships: ["h.note"] };
    expect(
      reading(
        writes,
        ["w", "w.external_id", "chart.property.x", "chart.property.x.value", "chart.external_id"],
        ["h.note"],
      ),
    ).toEqual([]);
    const other = ["w.type", "w.property.name", "chart.property.y", "chart.property.x.metadata.k"];
    expect(reading(writes, other)).toEqual(refusedOf(other));
    expect(reading(writes, [], ["h", "h.since"])).toEqual(refusedOf(["h", "h.since"], "relationships"));
  });

  it("does not open a filter: what a query writes tells nothing about what was there", () => {
    const filter = { attribute: "chart.property.state", operator: ">", value: 1 };
    expect(faults({ ...chart(value), filter })).toEqual([
      "query.filter: chart.property.state is neither readable nor filtered on by the policy",
    ]);
    expect(
      faults({
        ...chart(value),
        filter: { attribute: "w.property.name", operator: "=", value: "@chart.property.state" },
      }),
    ).toEqual(["query.filter: chart.property.state is neither readable nor filtered on by the policy"]);
  });

  it("opens nothing to a query that only reads", () => {
    expect(reading({}, ["chart.external_id"])).toEqual(refusedOf(["chart.external_id"]));
  });
});

describe("allow-lists of writes in a policy", () => {
  const policyFaults = (changes: Json): readonly string[] => {
    const checked = compileCiq(
      JSON.stringify(policy({ allowed_upserts: undefined, allowed_deletes: undefined, ...changes })),
    );
    return checked.ok ? [] : checked.faults;
  };
  const own = {
    cypher:
      "MATCH (subject:Nurse), (app:_Application)-[b:_BELONGS_TO]->(t:_TrustScore), (c:Chart)-[hops*]->(d)",
  };
  const upserts = "policy.allowed_upserts";

  it.each<[Json, readonly string[]]>([
    [
      { allowed_upserts: { nodes: { existing_nodes: ["app", "c"] } } },
      [`${upserts}.nodes.existing_nodes[0]: nodes of type _Application can only be linked`],
    ],
    [
      { allowed_upserts: { relationships: { existing_relationships: ["b", "hops"] } } },
      [
        `${upserts}.relationships.existing_relationships[0]: relationships of type _BELONGS_TO cannot be changed`,
        `${upserts}.relationships.existing_relationships[1]: "hops" is a path of several hops, which can only be read`,
      ],
    ],
    [
      { allowed_deletes: { nodes: ["x", "t.*", "t"] } },
      [
        'policy.allowed_deletes.nodes[0]: "x" is not bound after the pattern',
        "policy.allowed_deletes.nodes[1]: nodes of type _TrustScore can only be linked",
        "policy.allowed_deletes.nodes[2]: nodes of type _TrustScore can only be linked",
      ],
    ],
    [
      { allowed_deletes: { relationships: ["nobody", "b", "b.type"] } },
      [
        'policy.allowed_deletes.relationships[0]: "nobody" is not bound after the pattern',
        "policy.allowed_deletes.relationships[1]: relationships of type _BELONGS_TO cannot be changed",
        "policy.allowed_deletes.relationships[2]: b.type is protected",
        "policy.allowed_deletes.relationships[2]: relationships of type _BELONGS_TO cannot be changed",
      ],
    ],
    [
      {
        allowed_upserts: {
          relationships: {
            relationship_types: [
              { type: "USES", source_node_label: "_Application", target_node_label: "Chart" },
            ],
          },
        },
      },
      [],
    ],
    [
      {
        allowed_upserts: {
          relationships: {
            relationship_types: [{ type: "_HAS", source_node_label: "Chart", target_node_label: "Chart" }],
          },
        },
      },
      [`${upserts}.relationships.relationship_types[0].type: a relationship type in upper case`],
    ],
  ])("%j", (lists, expected) => {
    expect(policyFaults({ condition: own, allowed_reads: undefined, ...lists })).toEqual(expected);
  });
});

import { describe, expect, it } from "@jest/globals";
import { compileQuery } from "../query/query.ts";
import type { CiqPolicy } from "./ciq.ts";
import { compileCiq } from "./compile.ts";

const cypher = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

const policy = (condition: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Nurse" },
  condition: { cypher, ...condition },
  allowed_reads: { nodes: ["chart.*", "w.property.name"], relationships: ["h"] },
  ...changes,
});

const compiled = (json: unknown): CiqPolicy => {
  const checked = compileCiq(JSON.stringify(json));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const faultsOf = (json: unknown): string => {
  const checked = compileCiq(JSON.stringify(json));
  return checked.ok ? "" : checked.faults.join("\n");
};

describe("a CIQ policy", () => {
  it.each([
    `${cypher} WITH *, chart.property.title AS resource`,
    `${cypher} UNWIND [1, 2] AS resource`,
    `${cypher} WHERE any(resource IN [1, 2] WHERE resource = w.property.floor)`,
  ])("takes `resource` as a name like any other in %s", (text) => {
    expect(faultsOf(policy({ cypher: text }))).toBe("");
  });

  it("accepts real forms", () => {
    expect(faultsOf(policy({ filter: [] }))).toBe("");
    expect(faultsOf(policy({}, { allowed_reads: undefined }))).toBe("");
    expect(
      faultsOf(
        policy(
          {
            token_filter: {
              operator: "<=",
              attribute: "$token.auth_age",
              value: 600,
              advice: { error: "x" },
            },
          },
          {
            allowed_upserts: {
              nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
              relationships: {
                relationship_types: [
                  { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
                ],
                existing_relationships: ["h"],
              },
            },
            allowed_deletes: {
              nodes: ["chart.property.draft", "chart", "chart.*"],
              relationships: ["h", "h.note"],
            },
          },
        ),
      ),
    ).toBe("");
  });

  it.each([
    [policy({}, { actions: ["x"] }), "policy.actions: unknown key"],
    [policy({}, { allowed_reads: { nodes: ["x.*"] } }), 'policy.allowed_reads.nodes[0]: "x" is not bound'],
    [policy({}, { allowed_reads: { nodes: ["h"] } }), '"h" is not a node'],
    [policy({}, { allowed_reads: { relationships: ["chart"] } }), '"chart" is not a relationship'],
    [policy({}, { allowed_reads: { aggregate_values: ["n"] } }), '"n" is not bound by AS'],
    [policy({}, { allowed_upserts: { nodes: { node_types: ["_Application"] } } }), "does not start with _"],
    [policy({}, { allowed_upserts: { nodes: { node_labels: ["X"] } } }), "node_labels: unknown key"],
    [policy({}, { allowed_deletes: { nodes: ["chart.external_id"] } }), "chart.external_id is protected"],
    [policy({}, { allowed_deletes: { nodes: ["chart.property.id"] } }), "chart.property.id is protected"],
    ...[
      ["allowed_reads", "nodes"],
      ["allowed_reads", "relationships"],
      ["allowed_reads", "aggregate_values"],
      ["allowed_upserts.nodes", "existing_nodes"],
      ["allowed_upserts.nodes", "node_types"],
      ["allowed_upserts.relationships", "existing_relationships"],
      ["allowed_upserts.relationships", "relationship_types"],
      ["allowed_deletes", "nodes"],
      ["allowed_deletes", "relationships"],
    ].map(([block = "", list = ""]) => {
      const [outer = "", inner] = block.split(".");
      const content = inner === undefined ? { [list]: 5 } : { [inner]: { [list]: 5 } };
      return [policy({}, { [outer]: content }), `policy.${block}.${list}: array expected`] as [
        object,
        string,
      ];
    }),
    ...["allowed_reads", "allowed_upserts", "allowed_deletes"].map(
      (block) => [policy({}, { [block]: [] }), `policy.${block}: object expected`] as [object, string],
    ),
    ...["nodes", "relationships"].map(
      (block) =>
        [
          policy({}, { allowed_upserts: { [block]: 5 } }),
          `policy.allowed_upserts.${block}: object expected`,
        ] as [object, string],
    ),
    [policy({}, { allowed_deletes: { relationships: ["h.type"] } }), "h.type is protected"],
    [
      policy({ token_filter: { operator: "=", attribute: "chart.property.x", value: 1 } }),
      "cannot be read here",
    ],
    [policy({ filter: [{ operator: "=", attribute: "x.property.y", value: 1 }] }), '"x" is not bound'],
    [policy({ filter: [{ operator: "=", attribute: "chart", value: 1 }] }), "a filter reads one value"],
    [policy({ filter: [{ operator: "=", attribute: "$__x", value: 1 }] }), 'parameter "$__x" is reserved'],
    [policy({ cypher: "MATCH (x:Nurse)" }), '"subject" must be bound as a node'],
    [policy({ cypher: "MATCH (subject:Doctor)" }), 'the label of "subject" must be Nurse'],
    [policy({ cypher: "MATCH (subject:Nurse) WITH count(*) AS n" }), "missing required variables"],
  ])("refuses %j", (json, reason) => {
    expect(faultsOf(json)).toContain(reason);
  });

  it("takes KBAC's reserved names as ordinary parameters", () => {
    const json = policy({
      filter: [{ operator: "=", attribute: "subject.external_id", value: "$subject_external_id" }],
    });
    expect(compiled(json).needs.parameters).toEqual(["subject_external_id"]);
  });
});

describe("who the subject is", () => {
  const pinOf = (condition: Record<string, unknown>, type = "Nurse"): string =>
    compiled(policy(condition, { subject: { type } })).pin;
  const equal = (attribute: string, value: unknown) => ({ operator: "=", attribute, value });

  it.each([
    [{ filter: [equal("subject.external_id", "$token.sub")] }],
    [{ filter: [{ operator: "AND", operands: [equal("subject.property.badge", "$badge")] }] }],
    [{ cypher: "MATCH (subject:Nurse {external_id: $token.sub})-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)" }],
    [{ cypher: `${cypher} WHERE $token.sub = subject.external_id AND true` }],
  ])("is said by %j", (condition) => {
    expect(pinOf(condition)).toBe("policy");
  });

  it.each([
    [{}],
    [{ filter: [equal("chart.external_id", "$token.sub")] }],
    [
      {
        filter: [
          {
            operator: "OR",
            operands: [equal("subject.external_id", "$a"), equal("subject.external_id", "$b")],
          },
        ],
      },
    ],
    [{ cypher: `${cypher} WHERE subject.external_id <> $token.sub` }],
    [{ cypher: `${cypher} WHERE subject.external_id = w.external_id` }],
  ])("is the token's subject where %j leaves it open", (condition) => {
    expect(pinOf(condition)).toBe("token");
  });

  it("is always the calling application for _Application", () => {
    const application = {
      cypher: "MATCH (subject:_Application {external_id: $_appId}) MATCH (w:Ward)-[h:HOLDS]->(chart:Chart)",
    };
    expect(pinOf(application, "_Application")).toBe("application");
  });
});

describe("a knowledge query", () => {
  const queryFaults = (json: unknown): string => {
    const base = compiled(policy({ filter: [{ operator: ">", attribute: "w.property.beds", value: 1 }] }));
    const checked = compileQuery(JSON.stringify(json), base);
    return checked.ok ? "" : checked.faults.join("\n");
  };

  it.each([
    [{ nodes: ["chart", "chart.property.title", "w.property.name"], relationships: ["h.since"] }],
    [{ nodes: ["chart.*"], filter: { operator: "=", attribute: "chart.property.state", value: "$state" } }],
    [{ nodes: ["chart"], filter: { operator: "<", attribute: "w.property.beds", value: 9 } }],
    [{ relationships: ["h"], nodes: [], upsert_nodes: [] }],
  ])("accepts %j", (json) => {
    expect(queryFaults(json)).toBe("");
  });

  it.each([
    [{}, "at least one of its lists"],
    [{ nodes: ["w.property.budget"] }, "query.nodes[0]: w.property.budget is not in allowed_reads.nodes"],
    [{ nodes: ["w.*"] }, "w.* is not in allowed_reads.nodes"],
    [{ nodes: ["x.external_id"] }, '"x" is not bound'],
    [{ nodes: ["chart.title"] }, "a property is written chart.property.title"],
    [
      { nodes: ["chart"], filter: { operator: "=", attribute: "w.property.budget", value: 1 } },
      "neither readable nor filtered on",
    ],
    [
      {
        nodes: ["chart"],
        filter: { operator: "IN", attribute: "chart.external_id", value: "@w.property.list" },
      },
      "w.property.list is neither readable",
    ],
    [{ nodes: ["chart"], upsert_nodes: [{ name: "chart" }] }, "properties: 1 or more properties"],
    [{ nodes: ["chart"], delete_nodes: ["chart"] }, "chart is not in allowed_deletes.nodes"],
    [{ nodes: ["chart"], cypher: "MATCH (x)" }, "query.cypher: unknown key"],
    [{ nodes: "chart" }, "query.nodes: array expected"],
    [{ nodes: ["chart"], batch_read: 1 }, "query.batch_read: boolean expected"],
  ])("refuses %j", (json, reason) => {
    expect(queryFaults(json)).toContain(reason);
  });

  it("needs what the policy and the query read together", () => {
    const checked = compileQuery(
      JSON.stringify({
        nodes: ["chart"],
        filter: { operator: "=", attribute: "chart.property.a", value: "$a" },
      }),
      compiled(policy({ filter: [{ operator: "=", attribute: "w.external_id", value: "$ward" }] })),
    );
    expect(checked.ok && checked.value.needs.parameters).toEqual(["ward", "a"]);
  });
});

describe("what a query may filter by", () => {
  const filtered = [
    { operator: ">", attribute: "w.property.beds.value", value: 1 },
    { operator: "=", attribute: "h.since", value: 2020 },
    { operator: ">", attribute: "charts", value: 1 },
  ];
  const cypher =
    "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart) WITH subject, w, h, chart, count(chart) AS charts, w.external_id AS ward";
  const refused = (filter: object, lists: object = {}): boolean => {
    const checked = compileCiq(
      JSON.stringify(policy({ cypher, filter: filtered }, { allowed_reads: { nodes: ["chart"], ...lists } })),
    );
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const query = compileQuery(JSON.stringify({ nodes: ["chart"], filter }), checked.value);
    if (!query.ok && !query.faults.every((fault) => fault.includes("neither readable nor filtered on")))
      throw new Error(query.faults.join("; "));
    return !query.ok;
  };
  const leaf = (attribute: string, value: unknown = 1) => ({ operator: "=", attribute, value });

  it.each([
    ["w.property.beds", false],
    ["w.property.beds.value", false],
    ["w.property.rooms", true],
    ["chart.property.beds", true],
    ["w.property.beds.metadata.source", true],
    ["h.since", false],
    ["h.until", true],
    ["charts", false],
    ["ward", true],
    ["chart.external_id", false],
    ["w.external_id", true],
  ])("%s, refused: %s", (attribute, expected) => {
    expect(refused(leaf(attribute))).toBe(expected);
    expect(refused(leaf("chart.external_id", `@${attribute}`))).toBe(expected);
  });

  it("is whatever the policy makes readable", () => {
    expect(refused(leaf("ward"), { aggregate_values: ["ward"] })).toBe(false);
    expect(refused(leaf("h.until"), { relationships: ["h"] })).toBe(false);
    expect(refused(leaf("w.property.rooms"), { nodes: ["chart", "w.*"] })).toBe(false);
  });
});

import { projectKey, propertyField, quoteName } from "@ikg/physical";
import { describe, expect, it } from "@jest/globals";
import { compileCiq } from "../policy/compile.ts";
import { compileQuery } from "../query/query.ts";
import { readStatement } from "./read.ts";

const pk = projectKey("p1p1p1p1");

/** The statement that reads `subject` under a condition, as lines. */
const lines = (cypher: string, filter: unknown, queryFilter?: unknown): readonly string[] => {
  const policy = compileCiq(
    JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition: { cypher, filter },
      allowed_reads: { nodes: ["subject.*", "chart.*"] },
    }),
  );
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  const query = compileQuery(JSON.stringify({ nodes: ["subject"], filter: queryFilter }), policy.value);
  if (!query.ok) throw new Error(query.faults.join("; "));
  return readStatement(query.value, pk).text.split("\n");
};

/** The first line that binds `chart`. */
const binding = (cypher: string, filter: unknown): string =>
  lines(cypher, filter).find((line) => line.includes("(chart:")) ?? "";

const find = "MATCH (subject:Nurse)-[:ON]->()-[:HOLDS]->(chart:Chart)";
const is = (attribute: string, value: unknown, operator = "=") => ({ attribute, operator, value });

describe("equalities are sought where their alias is bound", () => {
  it.each<[unknown, string]>([
    [is("chart.property.risk", "$r"), "(chart:Chart__p1p1p1p1 {risk: $__row.p.r})"],
    [is("chart.property.risk", "$token.level"), "(chart:Chart__p1p1p1p1 {risk: $__row.t.level})"],
    [is("chart.property.risk", 5), "(chart:Chart__p1p1p1p1 {risk: 5})"],
    [is("chart.property.type", "a"), "(chart:Chart__p1p1p1p1 {`_p.type`: 'a'})"],
    [
      [is("chart.property.a", 1), { operator: "AND", operands: [is("chart.property.b", "$b")] }],
      "{a: 1, b: $__row.p.b}",
    ],
    [is("chart.external_id", "$id"), "{_key: ('p1p1p1p1/Chart/' + $__row.p.id)}"],
  ])("%j", (filter, pushed) => {
    expect(binding(find, filter)).toContain(pushed);
    // The filter itself stays at the end.
    expect(lines(find, filter).some((line) => line.startsWith("WITH * WHERE"))).toBe(true);
  });

  it("of the query's filter too", () => {
    const text = lines(find, [], is("chart.property.risk", "$r")).join("\n");
    expect(text).toContain("(chart:Chart__p1p1p1p1 {risk: $__row.p.r})");
  });

  it.each<[string, string, unknown]>([
    ["under OR", find, { operator: "OR", operands: [is("chart.property.risk", 1)] }],
    ["under NOT", find, { operator: "NOT", operands: [is("chart.property.risk", 1)] }],
    ["of another operator", find, is("chart.property.risk", 1, "<=")],
    ["of a value in the row", find, is("chart.property.risk", "@subject.property.level")],
    ["of metadata", find, is("chart.property.risk.metadata.source", "x")],
    ["of a trust score", find, is("chart.trust_score._origin", 1)],
    [
      "into an OPTIONAL MATCH",
      "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:READ]->(chart:Chart)",
      is("chart.property.risk", 1),
    ],
    ["across a LIMIT", `${find} WITH subject, chart LIMIT 5`, is("chart.property.risk", 1)],
    ["across a SKIP", `${find} WITH * SKIP 1`, is("chart.property.risk", 1)],
    [
      "across an ORDER BY with LIMIT",
      `${find} WITH * ORDER BY chart.external_id LIMIT 1`,
      is("chart.external_id", "x"),
    ],
    [
      "to a name that another node had before",
      "MATCH (subject:Nurse), (chart:Chart) WITH subject MATCH (chart:Chart)",
      is("chart.property.risk", 1),
    ],
  ])("not %s", (_, cypher, filter) => {
    const bindings = lines(cypher, filter).filter((line) => line.includes("(chart:"));
    expect(bindings.length).toBeGreaterThan(0);
    for (const line of bindings) expect(line).toContain("(chart:Chart__p1p1p1p1)");
  });

  it("but past a LIMIT that comes before the alias is bound, and through groups by it", () => {
    const after = "MATCH (subject:Nurse) WITH subject LIMIT 1 MATCH (subject)-->(chart:Chart)";
    expect(binding(after, is("chart.property.risk", 1))).toContain("{risk: 1}");
    const grouped = `${find} WITH subject, chart, count(*) AS n`;
    expect(binding(grouped, is("chart.property.risk", 1))).toContain("{risk: 1}");
  });

  it("and never over what the author wrote in the map", () => {
    const authored = "MATCH (subject:Nurse)-->(chart:Chart {risk: 2})";
    expect(binding(authored, is("chart.property.risk", 1))).toContain("{risk: 2}");
  });
});

describe("barriers of the author", () => {
  const barrier =
    "MATCH (subject:Nurse) WHERE subject.external_id = $token.sub WITH subject LIMIT 1 MATCH (subject)-->(chart:Chart)";

  it("survive unchanged, and nothing is pushed across them", () => {
    expect(lines(barrier, is("subject.external_id", "$id")).slice(0, 3)).toEqual([
      "MATCH (subject:Nurse__p1p1p1p1) WHERE (subject.external_id = $__row.t.sub)",
      "WITH subject LIMIT 1",
      "MATCH (subject)-->(chart:Chart__p1p1p1p1)",
    ]);
  });
});

describe("the subject that the platform pins", () => {
  it("is bound before the text", () => {
    expect(lines(find, [])[0]).toBe("MATCH (subject:Nurse__p1p1p1p1&_Node {_key: $__row.s})");
  });

  it.each([
    "MATCH (w:Ward) WITH w MATCH (subject)-->(w), (chart:Chart)",
    "MATCH (w:Ward) WITH w.external_id AS id MATCH (subject:Nurse), (chart:Chart)",
  ])("or where the text binds it, when a WITH comes before: %s", (cypher) => {
    const text = lines(cypher, []);
    expect(text[0]).toBe("MATCH (w:Ward__p1p1p1p1)");
    expect(text[2]).toContain("(subject:Nurse__p1p1p1p1&_Node {_key: $__row.s})");
  });
});

describe("keys of an inline map", () => {
  it("mean the node itself for external_id, type and id, and the property of that name for any other", () => {
    const checked = compileCiq(
      JSON.stringify({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Nurse" },
        condition: {
          cypher: "MATCH (subject:Nurse)--(w:Ward {type: 'Ward', is_identity: true, create_time: 'x'})",
        },
        allowed_reads: { nodes: ["w"] },
      }),
    );
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const query = compileQuery(JSON.stringify({ nodes: ["w"] }), checked.value);
    if (!query.ok) throw new Error(query.faults.join("; "));
    const { text } = readStatement(query.value, projectKey("00000000"));
    expect(text).toContain(`type: 'Ward', ${quoteName(propertyField("is_identity"))}: true`);
    expect(text).toContain(`${quoteName(propertyField("create_time"))}: 'x'`);
  });
});

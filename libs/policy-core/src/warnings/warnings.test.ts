import { describe, expect, it } from "@jest/globals";
import { type CiqPolicy, compilePolicy, type KbacPolicy } from "../index.ts";
import { compileQuery, type KnowledgeQuery } from "../query/query.ts";
import { kbac, ciq, leaf, schema, codesOf, placed, onWard, wards } from "../../test/warned-policies.ts";
import type { WarningCode } from "./warning.ts";
import { queryWarningsOf, warningsOf } from "./warnings.ts";

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** [policy, places] of one code. */
type Case = readonly [string, KbacPolicy | CiqPolicy, readonly string[]];

const table: readonly (readonly [WarningCode, readonly Case[]])[] = [
  [
    "unbounded-path-capped",
    [
      ["a star alone", kbac("MATCH (subject)-[*]->(resource)"), ["1:16"]],
      ["a lower bound only", kbac(`${onWard}\nMATCH (subject)-[:ON*2..]->(w)`), ["2:16"]],
      [
        "in a subquery",
        kbac(`${onWard} WHERE EXISTS { (subject)-[:A*]->(:Ward)-[:B*..]->(w) }`),
        ["1:78", "1:93"],
      ],
      ["an upper bound", kbac("MATCH (subject)-[:ON*..3]->(resource)"), []],
      ["an exact length", kbac("MATCH (subject)-[:ON*4]->(resource)"), []],
      ["no variable length", kbac(onWard), []],
    ],
  ],
  [
    "cartesian-product",
    [
      ["a pattern apart by a comma", kbac(`${onWard}, (z:Zone)`), ["1:55"]],
      ["a second MATCH apart", ciq(`${wards}\nMATCH (z:Zone)-[:IN]->(:City)`), ["2:7"]],
      [
        "two free patterns",
        ciq("MATCH (a:Ward) MATCH (subject:Nurse {external_id: $token.sub}) MATCH (b:Ward)"),
        ["1:70"],
      ],
      ["behind a WITH that keeps the rows", ciq(`${wards} WITH subject, chart MATCH (z:Zone)`), ["1:83"]],
      ["after UNWIND", ciq("MATCH (subject) UNWIND [1, 2] AS i MATCH (z:Zone)"), ["1:42"]],
      ["both ends apart: a decision knows them", kbac("MATCH (subject), (resource)"), []],
      ["a pin inside", kbac(`${onWard} MATCH (z:Zone {external_id: $zone})`), []],
      ["a pin in WHERE", kbac(`${onWard} MATCH (z:Zone) WHERE z.external_id IN $zones`), []],
      ["a pin in a filter", ciq(`${wards} MATCH (z:Zone)`, [leaf("z.external_id", "=", "$zone")]), []],
      ["an equality that ties", kbac(`${onWard} MATCH (z:Zone) WHERE z.property.code = w.property.zone`), []],
      ["a map that ties", kbac(`${onWard} MATCH (z:Zone {code: w.property.zone})`), []],
      ["a predicate that ties", kbac(`${onWard}, (z:Zone) WHERE (z)-[:OF]->(w)`), []],
      ["one row before", ciq("MATCH (subject) MATCH (chart:Chart)-[:IN]->(z:Zone)"), []],
      ["one group before", ciq(`${wards} WITH subject, chart LIMIT 1 MATCH (z:Zone)`), []],
      [
        "tied by a later MATCH",
        kbac("MATCH (subject)-->(a:Ward), (b:Ward)-->(resource) MATCH (a)-->(b)"),
        [],
      ],
    ],
  ],
  [
    "unlabelled-scan",
    [
      ["an end of a search", kbac("MATCH (subject:Nurse)-[:ON]->(:Ward) MATCH (resource)"), ["1:44"]],
      ["both ends of searches", kbac("MATCH (subject), (resource)"), ["1:7", "1:18"]],
      ["a node without label or pin", ciq("MATCH (subject) MATCH (x)"), ["1:23"]],
      ["inside EXISTS", ciq(`${wards} WHERE EXISTS { (x)-[:LEADS]->(y) }`), ["1:72"]],
      ["a label elsewhere in its pattern", ciq("MATCH (subject) MATCH (x)-[:IN]->(:Zone)"), []],
      ["a pinned node", ciq("MATCH (subject) MATCH (x {external_id: $x})"), []],
      ["led to from what is known", ciq("MATCH (subject)-->(x)--(y)"), []],
      ["ends that are connected", kbac("MATCH (subject)-->(resource)"), []],
      [
        "ends that a later MATCH connects",
        kbac("MATCH (subject), (resource) MATCH (subject)-->(resource)"),
        [],
      ],
      [
        "a sought end that its key names",
        kbac("MATCH (subject:Nurse), (resource) WHERE resource.external_id = subject.property.chart"),
        [],
      ],
    ],
  ],
  [
    "index-would-serve",
    [
      [
        "an end of a search by a range",
        kbac("MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.risk <= $max"),
        ["1:24"],
      ],
      [
        "equality with the other end",
        kbac(
          "MATCH (subject:Nurse), (resource) WHERE $x < 3 AND subject.property.level = resource.property.risk",
        ),
        ["1:7", "1:24"],
      ],
      ["a map", kbac("MATCH (subject), (resource:Chart {title: 'x'})"), ["1:18"]],
      ["a property named as a time", kbac("MATCH (subject), (resource:Chart {create_time: 'x'})"), ["1:18"]],
      [
        "a person that is found by a property",
        ciq("MATCH (subject:Nurse {mail: $token.email})-[:ON]->(w:Ward)"),
        ["1:7"],
      ],
      [
        "a filter leaf",
        ciq("MATCH (subject) MATCH (chart:Chart)", [leaf("chart.property.risk", "<=", 3)]),
        ["policy.condition.filter[0]"],
      ],
      [
        "prefix and part of a text",
        kbac(
          "MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.title CONTAINS 'a' AND resource.property.title STARTS WITH 'b'",
        ),
        ["1:24", "1:24"],
      ],
      [
        "metadata",
        kbac("MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.risk.metadata.source = 'x'"),
        ["1:24"],
      ],
      ["reached from what is known", kbac(`${onWard} WHERE resource.property.risk <= $max`), []],
      [
        "a comparison with itself",
        kbac("MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.risk = resource.property.most"),
        [],
      ],
      ["no label to index", ciq("MATCH (subject) MATCH (x) WHERE x.property.a = 1"), []],
      [
        "a test that no index answers",
        kbac(
          "MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.risk <> 1 AND NOT resource.property.risk = 2",
        ),
        [],
      ],
      [
        "a parameter that may be of any kind",
        ciq("MATCH (subject) MATCH (chart:Chart)", [leaf("chart.property.risk", "<=", "$max")]),
        [],
      ],
    ],
  ],
  [
    "filter-never-true",
    [
      ["an empty list", kbac(onWard, leaf("$token.scope", "IN", [])), ["policy.condition.filter"]],
      [
        "a text against a number",
        ciq(wards, [leaf("chart.external_id", "=", 7)]),
        ["policy.condition.filter[0]"],
      ],
      [
        "an empty list as a text",
        ciq(wards, [leaf("chart.external_id", "=", [])]),
        ["policy.condition.filter[0]"],
      ],
      [
        "a part of a text that is none",
        ciq(wards, [leaf("chart.external_id", "CONTAINS", 7)]),
        ["policy.condition.filter[0]"],
      ],
      [
        "a prefix that is no text",
        ciq(wards, leaf("chart.property.title", "STARTS WITH", 7)),
        ["policy.condition.filter"],
      ],
      [
        "another type than the label",
        ciq(wards, [leaf("subject.type", "=", "Doctor")]),
        ["policy.condition.filter[0]"],
      ],
      [
        "types without the label",
        ciq(wards, [leaf("chart.type", "IN", ["Note", "Ward"])]),
        ["policy.condition.filter[0]"],
      ],
      [
        "the label excluded",
        ciq(wards, [leaf("subject.type", "<>", "Nurse")]),
        ["policy.condition.filter[0]"],
      ],
      [
        "another beginning than that of the label",
        ciq(wards, [leaf("subject.type", "STARTS WITH", "Doc"), leaf("chart.type", "=~", "No.*")]),
        ["policy.condition.filter[0]", "policy.condition.filter[1]"],
      ],
      [
        "what is always there",
        ciq(wards, [leaf("chart.external_id", "IS NULL")]),
        ["policy.condition.filter[0]"],
      ],
      ["a parameter is never absent", kbac(onWard, leaf("$level", "IS NULL")), ["policy.condition.filter"]],
      [
        "a number as a text",
        ciq(wards, [], leaf("$token.auth_age", "<", "600")),
        ["policy.condition.token_filter"],
      ],
      [
        "the age of a token as a text",
        ciq(wards, [], leaf("$token.token_age", "<", "600")),
        ["policy.condition.token_filter"],
      ],
      [
        "two values at once",
        kbac(onWard, [leaf("$token.a", "=", 1), leaf("$token.a", "=", 2)]),
        ["policy.condition.filter[1]"],
      ],
      [
        "a value outside of a range, inside of OR",
        kbac(onWard, {
          operator: "OR",
          operands: [
            { operator: "AND", operands: [leaf("$token.a", ">", 3), leaf("$token.a", "=", 2)] },
            leaf("$token.b", "=", 1),
          ],
        }),
        ["policy.condition.filter.operands[0].operands[1]"],
      ],
      [
        "bounds without room",
        ciq(wards, [leaf("chart.property.risk", ">", 5), leaf("chart.property.risk", "<=", 5)]),
        ["policy.condition.filter[1]"],
      ],
      [
        "absent and equal",
        kbac(onWard, [leaf("$token.a", "IS NULL"), leaf("$token.a", "=", 2)]),
        ["policy.condition.filter[1]"],
      ],
      [
        "a text without the part that is searched",
        ciq(wards, [leaf("chart.property.title", "=", "abc"), leaf("chart.property.title", "CONTAINS", "x")]),
        ["policy.condition.filter[1]"],
      ],
      [
        "a text that no expression matches",
        ciq(wards, [leaf("chart.property.title", "=", "abc"), leaf("chart.property.title", "=~", "b.*")]),
        ["policy.condition.filter[1]"],
      ],
      ["a list of a claim may be empty", kbac(onWard, leaf("$token.roles", "=", [])), []],
      [
        "the type of the label",
        ciq(wards, [leaf("subject.type", "=", "Nurse"), leaf("chart.type", "IN", ["Chart"])]),
        [],
      ],
      [
        "the beginning of the label",
        ciq(wards, [leaf("subject.type", "STARTS WITH", "Nu"), leaf("chart.type", "=~", "Ch.*")]),
        [],
      ],
      ["a list may contain a number", ciq(wards, [leaf("chart.property.levels", "CONTAINS", 7)]), []],
      [
        "an alias that may be absent",
        ciq(`${wards} OPTIONAL MATCH (chart)-->(x:Note)`, [leaf("x.external_id", "IS NULL")]),
        [],
      ],
      [
        "values of different rows of OR",
        kbac(onWard, { operator: "OR", operands: [leaf("$token.a", "=", 1), leaf("$token.a", "=", 2)] }),
        [],
      ],
      ["under NOT", kbac(onWard, { operator: "NOT", operands: [leaf("$token.a", "IN", [])] }), []],
      [
        "bounds with room",
        ciq(wards, [leaf("chart.property.risk", ">=", 5), leaf("chart.property.risk", "<=", 5)]),
        [],
      ],
      [
        "lists that are too long to be compared with each other",
        ciq(wards, [
          leaf("chart.property.risk", "IN", numbers(0, 20_000)),
          leaf("chart.property.risk", "IN", numbers(20_000, 40_000)),
        ]),
        [],
      ],
      [
        "texts that are too long to be searched in each other",
        ciq(wards, [
          leaf("chart.property.title", "=", "a".repeat(2_000)),
          leaf("chart.property.title", "CONTAINS", "b".repeat(1_000)),
        ]),
        [],
      ],
      [
        "texts that are too long to be matched",
        ciq(wards, [
          leaf("chart.property.title", "IN", ["a".repeat(4_000), "b".repeat(4_000), "c".repeat(4_000)]),
          leaf("chart.property.title", "=~", "x.*"),
        ]),
        [],
      ],
      [
        "list with a common value",
        kbac(onWard, [leaf("$token.a", "IN", [1, 2]), leaf("$token.a", "<>", 1)]),
        [],
      ],
    ],
  ],
];

describe.each(table)("%s", (code, cases) => {
  it.each(cases)("%s", (_, policy, places) => {
    expect(placed(warningsOf(policy), code)).toEqual(places);
  });
});

describe("a subject that the policy constrains by itself", () => {
  const codes = (policy: CiqPolicy) => warningsOf(policy).map(({ code }) => code);

  it("is warned of when nothing says who it is", () => {
    const policy = ciq("MATCH (subject:Nurse {active: true})-[:ON]->(chart:Chart)");
    expect(policy.pin).toBe("policy");
    const found = warningsOf(policy).filter(({ code }) => code === "subject-not-pinned");
    expect(found).toMatchObject([{ path: "policy.condition.cypher", line: 1, column: 7 }]);
  });

  it.each([
    "MATCH (subject:Nurse {external_id: 'anna'})-[:ON]->(chart:Chart)",
    "MATCH (subject:Nurse {email: $token.email})-[:ON]->(chart:Chart)",
    "MATCH (subject:Nurse {active: true})-[:ON]->(chart:Chart) WHERE subject.property.email = $email",
    "MATCH (subject:Nurse)-[:ON]->(chart:Chart)",
  ])("is not warned of in %s", (cypher) => {
    expect(codes(ciq(cypher))).not.toContain("subject-not-pinned");
  });
});

describe("a query", () => {
  const policy = ciq("MATCH (subject) MATCH (chart:Chart)", [leaf("chart.property.risk", "=", 1)]);
  const query = (filter: unknown): KnowledgeQuery => {
    const checked = compileQuery(JSON.stringify({ nodes: ["chart.property.titel"], filter }), policy);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    return checked.value;
  };

  it("is warned of its own filter, beside that of its policy", () => {
    const warnings = queryWarningsOf(query(leaf("chart.property.risk", ">", 2)));
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["filter-never-true query.filter"]);
    expect(warnings[0]?.text).toBe(
      "chart.property.risk > 2 is never true: it contradicts chart.property.risk = 1",
    );
  });

  it("is warned of a long list by its beginning", () => {
    const [warning] = queryWarningsOf(query(leaf("chart.property.risk", "IN", numbers(2, 1_000))));
    expect(warning?.text).toMatch(
      /^chart\.property\.risk IN \[2,3,.{195}\.\.\. is never true: it contradicts/,
    );
  });

  it("is warned of indexes and names", () => {
    const warnings = queryWarningsOf(query(leaf("chart.property.title", "=", "$title")), { schema });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "index-would-serve query.filter",
      "unknown-property query.nodes[0]",
    ]);
  });

  it("that names its node by the key needs no index", () => {
    const filter = [leaf("chart.property.title", "=", "$title"), leaf("chart.external_id", "=", "$id")];
    expect(codesOf(queryWarningsOf(query(filter)))).toEqual([]);
  });
});

describe("warnings of a policy", () => {
  it("are in the order of the text", () => {
    const cypher = "MATCH (subject), (resource)\nMATCH (x)-[*]->(y)";
    const text = JSON.stringify({
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher, filter: { attribute: "$a", operator: "IN", value: [] } },
    });
    const checked = compilePolicy(text);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    expect(codesOf(warningsOf(checked.value))).toEqual([
      "unlabelled-scan",
      "unlabelled-scan",
      "unlabelled-scan",
      "unbounded-path-capped",
      "filter-never-true",
    ]);
  });
});

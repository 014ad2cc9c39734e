import { describe, expect, it } from "@jest/globals";
import { functions } from "../cypher/functions.ts";
import { compileKbac, defaultBudget, missingParameters } from "../index.ts";
import { bindValues } from "../values/bind.ts";
import { callSizes } from "./budget.ts";
import { functionSizes } from "./functions.ts";

const ends = "MATCH (subject:Person), (resource:Doc)";

const compiled = (cypher: string, budget = defaultBudget) =>
  compileKbac(
    JSON.stringify({
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Person" },
      actions: ["READ"],
      resource: { type: "Doc" },
      condition: { cypher },
    }),
    budget,
  );

/** The sizes to which values of the request are limited; undefined: not at all. */
const limitOf = (cypher: string) => {
  const policy = compiled(cypher);
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  return policy.value.needs.sizes;
};

const faultOf = (cypher: string): string => {
  const policy = compiled(cypher);
  return policy.ok ? "" : policy.faults.join("; ");
};

const [, large, medium] = callSizes;

describe("the sizes of functions", () => {
  it("are known for every function of the language, and for no other", () => {
    expect(Object.keys(functionSizes).toSorted()).toEqual([...functions.keys()].toSorted());
  });
});

describe("policies of people", () => {
  it.each([
    "WHERE any(t IN subject.property.tags WHERE t IN resource.property.tags)",
    "WHERE any(t IN subject.property.tags WHERE any(u IN resource.property.tags WHERE u STARTS WITH t))",
    "WHERE all(t IN resource.property.tags WHERE toLower(t) <> 'secret')",
    "WHERE size([t IN resource.property.tags | toLower(t)]) > 1",
    "WHERE reduce(s = 0, x IN resource.property.numbers | s + x) > 3",
    "WHERE reduce(m = 0, x IN resource.property.numbers | CASE WHEN x > m THEN x ELSE m END) > 3",
    "WHERE reduce(s = '', x IN subject.property.tags | s + ',' + x) CONTAINS 'x'",
    "WHERE any(s IN split(subject.property.scope, ' ') WHERE s IN resource.property.scopes)",
    "WHERE any(t IN resource.property.tags WHERE any(p IN split(t, '-') WHERE p = 'x'))",
    "WHERE any(t IN resource.property.tags WHERE t =~ 'a.*b')",
    "WHERE resource.property.title CONTAINS subject.property.name",
    "WHERE resource.property.title CONTAINS $q OR resource.property.body CONTAINS $q",
    "WHERE subject.property.region IN $regions AND resource.property.level <= $token.level",
    "MATCH (x)-->(resource) WITH subject, resource, collect(x) AS all WHERE any(n IN all WHERE n.property.a = subject.property.b)",
    "MATCH (x)-->(resource) WITH subject, resource, collect(x.external_id) AS ids WHERE any(t IN subject.property.tags WHERE t IN ids)",
    "MATCH (x)-->(resource) WITH subject, resource, collect(x.external_id) AS a MATCH (y)-->(subject) WITH subject, resource, a, collect(y.external_id) AS b WHERE any(i IN a WHERE i IN b)",
    "MATCH p = (subject)-[:KNOWS*1..4]->(resource) WHERE all(n IN nodes(p) WHERE n.property.level >= 2) AND size([n IN nodes(p) | n.property.name]) > 1",
    "MATCH (subject)-[r:KNOWS*..10]->(resource) WHERE all(x IN r WHERE x.since < 2000 AND x.state = 'open')",
    "WHERE size([(resource)-->(x) | x.property.name]) > 1",
  ])("keep within the budget, whatever is sent: %s", (clause) => {
    expect(
      limitOf(clause.startsWith("MATCH") ? clause.replace("MATCH", `${ends} MATCH`) : `${ends} ${clause}`),
    ).toBeUndefined();
  });
});

describe("sizes of the request", () => {
  it.each([
    ["WHERE any(a IN $a WHERE any(b IN $b WHERE a = b))", medium],
    ["WHERE any(a IN $request.context.a WHERE a STARTS WITH subject.property.name)", large],
    ["WHERE reduce(m = 0, x IN $numbers | CASE WHEN x > m THEN x ELSE m END) > 3", large],
    ["WHERE any(s IN split($token.scope, ' ') WHERE s IN resource.property.scopes)", large],
  ])("are limited where that keeps a text within its budget: %s", (clause, sizes) => {
    expect(limitOf(`${ends} ${clause}`)).toEqual(sizes);
  });

  it("are measured: a parameter that is larger is asked for again, a claim that is larger is absent", () => {
    const policy = compiled(`${ends} WHERE any(a IN $a WHERE any(b IN $token.b WHERE a = b))`);
    if (!policy.ok || medium === undefined) throw new Error("accepted with a limit");
    const { needs } = policy.value;
    const list = (length: number): readonly string[] => Array.from({ length }, () => "a");
    expect(missingParameters(needs, { a: list(1_000) })).toEqual([]);
    expect(missingParameters(needs, { a: list(1_001) })).toEqual([
      "a (at most 1000 entries, 4096 characters each, 65536 in all)",
    ]);
    expect(missingParameters(needs, { a: ["a".repeat(4_097)] })).toHaveLength(1);
    expect(missingParameters(needs, { a: Array.from({ length: 100 }, () => "a".repeat(700)) })).toHaveLength(
      1,
    );
    expect(missingParameters(needs, { a: [["a"]] })).toHaveLength(1);
    const bound = (b: unknown): unknown =>
      bindValues(needs, { inputParams: { a: [] }, token: { b } }).token["b"];
    expect(bound(list(1_000))).toHaveLength(1_000);
    expect(bound(list(1_001))).toBeNull();
  });

  it("of a filter in memory are limited as well: its search takes as long as the texts are long, times each other", () => {
    const policy = compileKbac(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Person" },
        actions: ["READ"],
        resource: { type: "Doc" },
        condition: {
          cypher: ends,
          filter: { attribute: "$request.context.text", operator: "CONTAINS", value: "$part" },
        },
      }),
    );
    if (!policy.ok) throw new Error(policy.faults.join("; "));
    const { filter } = policy.value;
    expect(
      missingParameters(filter?.needs ?? policy.value.needs, { part: "a".repeat(1_000_000) }),
    ).toHaveLength(1);
    expect(missingParameters(filter?.needs ?? policy.value.needs, { part: "a".repeat(1_000) })).toEqual([]);
  });
});

describe("texts that grow", () => {
  it.each([
    [
      "by an accumulator that is read twice",
      "WHERE reduce(a = 'x', i IN [1, 2] | a + a) = ''",
      "more than once",
    ],
    [
      "by one that is read twice by another name",
      "WHERE reduce(a = 'x', i IN [1, 2] | reduce(b = a, j IN [1] | b + a)) = ''",
      "more than once",
    ],
    [
      "by one that replaces itself",
      "WHERE reduce(a = 'x', i IN [1, 2] | replace(a, 'x', a)) = ''",
      "more than once",
    ],
    ["by a list of itself and itself", "WHERE reduce(a = [], i IN [1, 2] | [a, a]) = []", "more than once"],
    [
      "by clauses that double",
      `WITH *, 'x,' AS v0${Array.from({ length: 30 }, (_, i) => ` WITH *, v${i} + v${i} AS v${i + 1}`).join("")}`,
      "EXPRESSION_MEMORY_BYTES",
    ],
    [
      "by replace",
      "WHERE replace(resource.property.a, 'a', subject.property.a) = ''",
      "EXPRESSION_MEMORY_BYTES",
    ],
    [
      "by a comprehension",
      "WHERE size([x IN resource.property.list | subject.property.text + 'x']) > 1",
      "EXPRESSION_MEMORY_BYTES",
    ],
    [
      "by loops in each other",
      "WHERE any(a IN subject.property.l WHERE any(b IN subject.property.l WHERE any(c IN subject.property.l WHERE a + b = c)))",
      "EXPRESSION_STEPS",
    ],
    [
      "over collected lists",
      "MATCH (x) WITH subject, resource, collect(x.property.a) AS l WHERE any(a IN l WHERE any(b IN l WHERE a + b = 1))",
      "EXPRESSION_STEPS",
    ],
    [
      "inside a subquery",
      "WHERE EXISTS { MATCH (x)-->(resource) WHERE size(reduce(a = 'x', i IN [1, 2, 3] | a + a)) > 1 }",
      "more than once",
    ],
    [
      "inside a call",
      "CALL { WITH subject MATCH (x) RETURN reduce(a = 'x', i IN [1] | a + a) AS v } WITH *",
      "more than once",
    ],
  ])("%s are refused with the place and a hint", (_, clause, reason) => {
    const fault = faultOf(`${ends} ${clause}`);
    expect(fault).toContain(reason);
    expect(fault).toMatch(/^policy\.condition\.cypher: .*; .* \(line 1, column \d+\)$/);
  });

  it("are accepted where the operator's budget allows them", () => {
    const cypher = `${ends} WHERE size([x IN resource.property.list | subject.property.text + 'x']) > 1`;
    expect(compiled(cypher).ok).toBe(false);
    expect(compiled(cypher, { ...defaultBudget, memoryBytes: 2 ** 40 }).ok).toBe(true);
  });
});

import { describe, expect, it } from "@jest/globals";
import { leafOperators, leafRules } from "../../src/filters/leaf-operators.ts";
import { conditionText, expressionText } from "./author.ts";
import { runClauses } from "./clauses.ts";
import { evaluate } from "./expressions.ts";
import { testFilter, testLeaf } from "./filters.ts";
import { operators } from "./generate/filters.ts";
import type { ClauseSpec, Expr, FilterSpec, GraphSpec, NodeElement, PathSpec } from "./model.ts";
import { patternMatches, searchResources, searchSubjects } from "./outcome.ts";
import type { KbacSpec } from "./policy.ts";
import type { Setting } from "./setting.ts";
import { isNode, show, type Value } from "./values.ts";
import { worldOf } from "./world.ts";
import { truthTable } from "../truth-table.ts";
import type { Stored } from "./model.ts";
import { instantOf } from "./instant.ts";

const node = (type: string, id: string, n?: bigint) => ({
  type,
  id,
  labels: [],
  properties: n === undefined ? {} : { n: { value: n } },
});
const edge = (source: string, type: string, target: string, w: bigint) => ({
  source,
  type,
  target,
  properties: { w },
});

/** a → b → c in a ring of T, a loop on c, and a second edge from a to b. */
const graph: GraphSpec = {
  nodes: [node("A", "a", 1n), node("A", "b", 2n), node("B", "c")],
  edges: [
    edge("A/a", "T", "A/b", 0n),
    edge("A/b", "T", "B/c", 1n),
    edge("B/c", "T", "A/a", 2n),
    edge("B/c", "L", "B/c", 3n),
    edge("A/a", "U", "A/b", 4n),
  ],
};

const setting: Setting = {
  world: worldOf(graph),
  pins: new Map(),
  lookUp: () => null,
  evaluate,
  spend: () => undefined,
};

const named = (variable: string, label?: string): NodeElement => ({
  variable,
  ...(label === undefined ? {} : { label: { kind: "is", name: label } }),
});
const path = (start: NodeElement, ...hops: PathSpec["hops"]): PathSpec => ({ start, hops });
const match = (paths: readonly PathSpec[], where?: Expr, optional = false): ClauseSpec => ({
  kind: "match",
  optional,
  paths,
  ...(where && { where }),
});
const literal = (value: bigint | string | boolean | null): Expr => ({ kind: "literal", value });
const variable = (name: string): Expr => ({ kind: "variable", name });
const property = (name: string): Expr => ({
  kind: "node-path",
  of: variable(name),
  step: { to: "property", name: "n" },
});
const rows = (...clauses: ClauseSpec[]): readonly string[] =>
  runClauses(clauses, new Map(), setting)
    .map((row) =>
      [...row.values()].map((value) => (isNode(value) ? (value.externalId ?? "") : show(value))).join(" "),
    )
    .toSorted();
const value = (expr: Expr): Value => evaluate(expr, new Map(), setting);

describe("the evaluator's matching, on fixed cases", () => {
  const out = (types: string | undefined, target: NodeElement, length?: { min?: number; max?: number }) => ({
    hop: {
      direction: "out" as const,
      ...(types === undefined ? {} : { types: { kind: "is" as const, name: types } }),
      ...(length && { length }),
    },
    node: target,
  });

  it("gives one row for each way, parallel edges apart", () => {
    expect(rows(match([path(named("x"), out(undefined, named("y")))]))).toEqual([
      "a b",
      "a b",
      "b c",
      "c a",
      "c c",
    ]);
  });

  it("meets a loop once without a direction, and any other edge from both ends", () => {
    const both = { hop: { direction: "both" as const }, node: named("y") };
    expect(rows(match([path(named("x", "B"), both)]))).toEqual(["c a", "c b", "c c"]);
  });

  it("uses no relationship twice in one MATCH, across its paths too", () => {
    const hop = out("T", {});
    expect(rows(match([path({}, hop), path({}, hop), path({}, hop)]))).toHaveLength(6);
    expect(rows(match([path({}, hop)]), match([path({}, hop)]))).toHaveLength(9);
  });

  it("walks any length, nothing for none, and never a relationship again", () => {
    expect(rows(match([path(named("x", "B"), out("T", named("y"), { min: 0 }))]))).toEqual([
      "c a",
      "c b",
      "c c",
      "c c",
    ]);
    expect(rows(match([path(named("x", "B"), out("T", named("y"), { min: 2, max: 2 }))]))).toEqual(["c b"]);
  });

  it("keeps a row of nulls where an OPTIONAL MATCH finds nothing, its WHERE included", () => {
    const one = match([path(named("x", "B"))]);
    const none: Expr = {
      kind: "compare",
      first: property("y"),
      rest: [{ operator: ">", expr: literal(1n) }],
    };
    expect(rows(one, match([path(named("x"), out("T", named("y")))], none, true))).toEqual(["c null"]);
  });

  it("groups by what is no aggregate, null with null, and counts an empty whole as 0", () => {
    const count: Expr = { kind: "aggregate", name: "count", distinct: false };
    const grouping = (items: { expr: Expr; as: string }[]): ClauseSpec => ({
      kind: "with",
      distinct: false,
      star: false,
      items,
      order: [],
    });
    expect(
      rows(
        match([path(named("x"))]),
        grouping([
          { expr: property("x"), as: "n" },
          { expr: count, as: "c" },
        ]),
      ),
    ).toEqual(["1 1", "2 1", "null 1"]);
    expect(rows(match([path(named("x", "None"))]), grouping([{ expr: count, as: "c" }]))).toEqual(["0"]);
    expect(
      rows(
        match([path(named("x", "None"))]),
        grouping([
          { expr: variable("x"), as: "x" },
          { expr: count, as: "c" },
        ]),
      ),
    ).toEqual([]);
  });

  it("pins an end wherever its name becomes bound, in subqueries too", () => {
    const policy: KbacSpec = {
      version: "2.0-kbac",
      subjectType: "A",
      resourceType: "A",
      clauses: [match([path(named("subject"), out("T", named("resource")))])],
      style: { small: false, tight: false, parentheses: true },
    };
    const inputs = { params: {} };
    expect(patternMatches(policy, setting.world, inputs, "a", "b")).toBe(true);
    expect(patternMatches(policy, setting.world, inputs, "b", "a")).toBe(false);
    expect([...searchResources(policy, setting.world, inputs, "a")]).toEqual(["b"]);
    const inside: ClauseSpec = match([path(named("subject"), out("T", {}))]);
    const exists: Expr = { kind: "exists", body: [inside], short: false };
    const early = {
      ...policy,
      clauses: [match([path(named("resource"))], exists), match([path(named("subject"))])],
    };
    expect(patternMatches(early, setting.world, inputs, "a", "b")).toBe(true);
  });

  it("finds in a search what decisions grant, also where an end is bound in several places", () => {
    const policy: KbacSpec = {
      version: "3.0-kbac",
      subjectType: "A",
      resourceType: "A",
      clauses: [
        match([path(named("subject")), path(named("resource"))]),
        {
          kind: "subquery",
          listed: true,
          imports: [],
          body: [match([path(named("subject"), out("U", {}))])],
          items: [{ expr: literal(true), as: "v" }],
        },
      ],
      style: { small: false, tight: false, parentheses: true },
    };
    const inputs = { params: {} };
    expect(["a", "b"].filter((id) => patternMatches(policy, setting.world, inputs, id, "b"))).toEqual(["a"]);
    expect([...searchSubjects(policy, setting.world, inputs, "b")]).toEqual(["a"]);
    expect([...searchResources(policy, setting.world, inputs, "a")]).toEqual(["a", "b"]);
    expect([...searchResources(policy, setting.world, inputs, "b")]).toEqual([]);
  });

  it("finds fewer in a search than decisions grant where a LIMIT cuts the rows", () => {
    const first: ClauseSpec = {
      kind: "with",
      distinct: false,
      star: true,
      items: [],
      order: [{ expr: property("resource"), descending: true }],
      limit: literal(1n),
    };
    const policy: KbacSpec = {
      version: "3.0-kbac",
      subjectType: "A",
      resourceType: "A",
      clauses: [match([path(named("subject")), path(named("resource"))]), first],
      style: { small: false, tight: false, parentheses: true },
    };
    const inputs = { params: {} };
    expect(["a", "b"].filter((id) => patternMatches(policy, setting.world, inputs, "a", id))).toEqual([
      "a",
      "b",
    ]);
    expect([...searchResources(policy, setting.world, inputs, "a")]).toEqual(["b"]);
  });
});

describe("the evaluator's logic, on fixed cases", () => {
  const nothing = literal(null);
  const yes = literal(true);
  const no = literal(false);

  it.each<[Expr, Value]>([
    [{ kind: "and", left: no, right: nothing }, false],
    [{ kind: "and", left: yes, right: nothing }, null],
    [{ kind: "or", left: yes, right: nothing }, true],
    [{ kind: "or", left: no, right: nothing }, null],
    [{ kind: "xor", left: yes, right: nothing }, null],
    [{ kind: "not", of: nothing }, null],
    [{ kind: "in", left: literal(1n), right: { kind: "list", items: [nothing, literal(2n)] } }, null],
    [{ kind: "in", left: literal(2n), right: { kind: "list", items: [nothing, literal(2n)] } }, true],
    [{ kind: "in", left: nothing, right: { kind: "list", items: [] } }, false],
    [
      {
        kind: "compare",
        first: literal(1n),
        rest: [
          { operator: "<", expr: literal(2n) },
          { operator: "<=", expr: literal(1n) },
        ],
      },
      false,
    ],
    [{ kind: "compare", first: literal(1n), rest: [{ operator: "<", expr: literal("2") }] }, null],
    [{ kind: "compare", first: literal(1n), rest: [{ operator: "=", expr: literal("1") }] }, false],
    [{ kind: "arithmetic", operator: "/", left: literal(-7n), right: literal(2n) }, -3n],
    [{ kind: "arithmetic", operator: "%", left: literal(-7n), right: literal(2n) }, -1n],
    [{ kind: "text-test", operator: "CONTAINS", left: literal("abc"), right: nothing }, null],
    [
      {
        kind: "quantifier",
        quantifier: "all",
        variable: "e",
        list: { kind: "list", items: [nothing] },
        where: variable("e"),
      },
      null,
    ],
    [
      {
        kind: "quantifier",
        quantifier: "single",
        variable: "e",
        list: { kind: "list", items: [yes, nothing] },
        where: variable("e"),
      },
      null,
    ],
    [
      { kind: "quantifier", quantifier: "none", variable: "e", list: { kind: "list", items: [] }, where: no },
      true,
    ],
    [{ kind: "case", subject: nothing, branches: [{ when: nothing, then: yes }], otherwise: no }, false],
    [
      {
        kind: "slice",
        of: { kind: "list", items: [literal(1n), literal(2n), literal(3n)] },
        from: literal(1n),
      },
      [2n, 3n] as Value,
    ],
    [{ kind: "index", of: { kind: "list", items: [literal(1n)] }, index: literal(4n) }, null],
  ])("%#", (expr, expected) => {
    expect(value(expr)).toEqual(expected);
  });

  const held = (each: unknown): Value =>
    Array.isArray(each)
      ? each.map(held)
      : typeof each === "number" && Number.isInteger(each)
        ? BigInt(each)
        : (each as Value); // A value of the table: text, number, boolean or null.

  // Patterns are another matter: here they run on an engine that takes other forms, and its time.
  const rowsOfTable = truthTable.filter(({ operator }) => operator !== "=~");

  it.each(rowsOfTable.map((row) => [row.attribute, row.operator, row.value ?? null, row] as const))(
    "has the filter truth table: %j %s %j",
    (attribute, operator, right, { truth, instants }) => {
      const [left, value] = [held(attribute), held(right)];
      const found = instants
        ? testLeaf(operator, instantOf(left), instantOf(value))
        : testLeaf(operator, left, value);
      expect(found).toBe(truth);
    },
  );

  it("lets nothing pass that reads a token when none was sent, under NOT either", () => {
    const leaf: FilterSpec = {
      operator: "IS NULL",
      attribute: { is: "reference", name: "token", path: ["sub"] },
    };
    const holds = (filter: FilterSpec, tokenSent: boolean) =>
      testFilter(filter, new Map(), { lookUp: () => null, tokenSent }) === true;
    expect(holds(leaf, false)).toBe(false);
    expect(holds({ operator: "NOT", operands: [leaf] }, false)).toBe(false);
    expect(holds(leaf, true)).toBe(true);
  });
});

describe("drawn filters", () => {
  it("hold every operator", () => {
    const drawn = new Set<string>(Object.values(operators).flat());
    expect(leafOperators.filter((each) => leafRules[each].takes.length > 0 && !drawn.has(each))).toEqual([]);
  });
});

describe("the author's text", () => {
  it("writes a condition as people do", () => {
    const clauses: ClauseSpec[] = [
      match(
        [
          {
            variable: "p",
            start: named("subject", "Nurse"),
            hops: [
              {
                hop: {
                  direction: "in",
                  variable: "r",
                  types: {
                    kind: "either",
                    parts: [
                      { kind: "is", name: "A" },
                      { kind: "is", name: "B" },
                    ],
                  },
                  length: { max: 3 },
                },
                node: { variable: "a b", map: [{ key: "n", value: literal(1n) }] },
              },
            ],
          },
        ],
        {
          kind: "or",
          left: { kind: "and", left: literal(true), right: literal(false) },
          right: literal(null),
        },
      ),
    ];
    expect(conditionText(clauses, { small: false, tight: false, parentheses: false })).toBe(
      "MATCH p = (subject:Nurse)<-[r:A|B*..3]-(`a b` {n: 1}) WHERE true AND false OR null",
    );
    expect(
      expressionText({ kind: "not", of: { kind: "or", left: literal("it's"), right: literal(-1n) } }),
    ).toBe("NOT ('it\\'s' OR (-1))");
  });

  it("says the same in a filter", () => {
    const stored: Stored = [1n, 2n];
    const filter: FilterSpec = {
      operator: "IN",
      attribute: { is: "node", alias: "a", step: { to: "metadata", name: "n", key: "k" } },
      value: { is: "literal", value: stored },
    };
    expect(testFilter(filter, new Map(), { lookUp: () => null, tokenSent: true })).toBeNull();
  });
});

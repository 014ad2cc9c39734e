import fc from "fast-check";
import { functions } from "../src/cypher/functions.ts";
import { omitUndefined } from "../src/cypher/walk.ts";
import type {
  CallClause,
  CaseAlternative,
  Clause,
  ComparisonStep,
  Expression,
  LabelExpression,
  MapEntry,
  NodePattern,
  PathPattern,
  ProjectionItem,
  Query,
  RelationshipPattern,
  SubqueryBody,
} from "../src/cypher/ast.ts";

/** Arbitrary trees of the language, only such as a text can have. Every `at` is 0. */

const at = 0;

/** No text can hold the escape that the database decodes first. */
const isPossible = (text: string): boolean => text.isWellFormed() && !text.includes("\\u");

const word = fc.constantFrom(
  "a",
  "b",
  "car",
  "subject",
  "resource",
  "_x1",
  "property",
  "value",
  "Nurse",
  "HAS",
);
const keyword = fc.constantFrom(
  "where",
  "MATCH",
  "Set",
  "is",
  "true",
  "Null",
  "count",
  "exists",
  "in",
  "case",
  "all",
);
const odd = fc.constantFrom(
  "a b",
  "`",
  "a`b``",
  "price.metadata.source",
  "'",
  "\\",
  "é",
  "{",
  "*/",
  "//",
  "\n",
  "$x",
);
const name = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: keyword },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 6, unit: "binary" }).filter(isPossible) },
);
const value = fc.oneof(
  fc.string({ maxLength: 12, unit: "binary" }).filter(isPossible),
  fc.constantFrom(
    "",
    "it's",
    'say "hi"',
    "\\",
    "\\\\n",
    "\n\r\t\b\f",
    "\u0000",
    "CREATE (n)",
    "$5",
    "// no",
    "/*",
    "`",
  ),
);

const literal = fc.oneof(
  value.map((text): Expression => ({ kind: "string", value: text, at })),
  fc
    .bigInt({ min: 0n, max: 2n ** 63n - 1n })
    .map((number): Expression => ({ kind: "integer", value: number, at })),
  fc
    .double({ min: 0, noNaN: true, noDefaultInfinity: true })
    .map((number): Expression => ({ kind: "float", value: Math.abs(number), at })),
  fc.boolean().map((truth): Expression => ({ kind: "boolean", value: truth, at })),
  fc.constant<Expression>({ kind: "null", at }),
);
const variable = name.map((text): Expression => ({ kind: "variable", name: text, at }));
const parameter = name.map((text): Expression => ({ kind: "parameter", name: text, at }));
const bound = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }).map((number): Expression => ({ kind: "integer", value: number, at })),
  parameter,
);

const plainFunctions = [...functions].filter(([, signature]) => !signature.aggregate);
const aggregateFunctions = [...functions].filter(([, signature]) => signature.aggregate);

const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

interface Trees {
  label: LabelExpression;
  expression: Expression;
  condition: Expression;
  predicatePath: PathPattern;
  path: PathPattern;
  entry: MapEntry;
  body: SubqueryBody;
  clause: Clause;
  called: Query;
}

const length = fc.oneof(
  fc.constant({}),
  fc.record({ min: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ max: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ min: fc.integer({ min: 0, max: 20 }), max: fc.integer({ min: 0, max: 20 }) }),
);

const types = fc.oneof(
  name.map((text): LabelExpression => ({ kind: "label", name: text, at })),
  fc.array(name, { minLength: 2, maxLength: 3 }).map((names): LabelExpression => ({
    kind: "label-or",
    parts: names.map((text) => ({ kind: "label", name: text, at })),
    at,
  })),
);

const letTrees = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const depth = { maxDepth: 4, depthIdentifier: "tree" };
  const expression = tie("expression");
  const condition = tie("condition");

  const call = fc.constantFrom(...plainFunctions).chain(([called, { least, most }]) =>
    fc
      .array(expression, { minLength: least, maxLength: Math.min(most, least + 1) })
      .map((args): Expression => ({
        kind: "function",
        name: called,
        distinct: false,
        star: false,
        args,
        at,
      })),
  );

  const alternative = (values: boolean): fc.Arbitrary<CaseAlternative> =>
    fc
      .record({ when: values ? some(expression) : condition.map((one) => [one]), then: expression })
      .map((parts) => ({ kind: "alternative", ...parts, at }));

  const steps: fc.Arbitrary<readonly ComparisonStep[]> = some(
    fc
      .record({ operator: fc.constantFrom("=", "<>", "<", "<=", ">", ">=" as const), operand: expression })
      .map((parts) => ({ kind: "step", ...parts, at })),
  );

  const map = fc
    .array(tie("entry"), { maxLength: 2 })
    .map((entries) => ({ kind: "map" as const, entries, at }));

  const node = (where: boolean): fc.Arbitrary<NodePattern> =>
    fc
      .record({
        variable: maybe(name),
        label: maybe(tie("label")),
        properties: maybe(map),
        where: where ? maybe(condition) : fc.constant(undefined),
      })
      .map((parts) => ({ kind: "node", ...omitUndefined(parts), at }));

  const relationship = (where: boolean): fc.Arbitrary<RelationshipPattern> =>
    fc
      .oneof(
        fc.record({
          direction: fc.constantFrom("in", "out", "both" as const),
          variable: maybe(name),
          label: maybe(tie("label")),
          properties: maybe(map),
          where: where ? maybe(condition) : fc.constant(undefined),
          length: fc.constant(undefined),
        }),
        fc.record({
          direction: fc.constantFrom("in", "out", "both" as const),
          variable: maybe(name),
          label: maybe(types),
          properties: maybe(map),
          where: fc.constant(undefined),
          length,
        }),
      )
      .map(({ direction, ...parts }) => ({ kind: "relationship", direction, ...omitUndefined(parts), at }));

  const elements = (where: boolean, least: number): fc.Arbitrary<PathPattern["elements"]> =>
    fc
      .tuple(
        node(where),
        fc.array(fc.tuple(relationship(where), node(where)), { minLength: least, maxLength: 2 }),
      )
      .map(([first, rest]) => [first, ...rest.flat()]);

  const projection = (): fc.Arbitrary<readonly ProjectionItem[]> =>
    fc.uniqueArray(
      fc
        .record({ expression: fc.oneof({ weight: 3, arbitrary: expression }, aggregate), alias: name })
        .map((parts): ProjectionItem => ({ kind: "item", ...parts, at })),
      { minLength: 1, maxLength: 3, selector: (item) => item.alias },
    );

  const aggregate = fc.oneof(
    fc.constant<Expression>({ kind: "function", name: "count", distinct: false, star: true, args: [], at }),
    fc
      .tuple(
        fc.constantFrom(...aggregateFunctions),
        fc.boolean(),
        fc.array(expression, { minLength: 2, maxLength: 2 }),
      )
      .map(([[called, { least }], distinct, args]): Expression => {
        return { kind: "function", name: called, distinct, star: false, args: args.slice(0, least), at };
      }),
  );

  const projected = fc
    .record({
      distinct: fc.boolean(),
      star: fc.boolean(),
      items: projection(),
      orderBy: fc.array(
        fc
          .record({ expression, descending: fc.boolean() })
          .map((parts) => ({ kind: "sort" as const, ...parts, at })),
        { maxLength: 2 },
      ),
      skip: maybe(bound),
      limit: maybe(bound),
    })
    .map(({ skip, limit, ...parts }) => ({ ...parts, ...omitUndefined({ skip, limit }) }));

  const match = fc
    .record({ optional: fc.boolean(), patterns: some(tie("path")), where: maybe(condition) })
    .map(({ where, ...parts }): Clause => ({ kind: "match", ...parts, ...omitUndefined({ where }), at }));

  const withClause = fc
    .tuple(projected, maybe(condition))
    .map(([parts, where]): Clause => ({ kind: "with", ...parts, ...omitUndefined({ where }), at }));

  const unwind = fc
    .record({ expression, alias: name })
    .map((parts): Clause => ({ kind: "unwind", ...parts, at }));

  return {
    label: fc.oneof(
      depth,
      name.map((text): LabelExpression => ({ kind: "label", name: text, at })),
      fc.constant<LabelExpression>({ kind: "label-any", at }),
      tie("label").map((part): LabelExpression => ({ kind: "label-not", part, at })),
      fc
        .record({
          kind: fc.constantFrom("label-and" as const, "label-or" as const),
          parts: fc.array(tie("label"), { minLength: 2, maxLength: 3 }),
        })
        .map((parts): LabelExpression => ({ ...parts, at })),
    ),
    expression: fc.oneof(
      depth,
      fc.oneof(literal, variable, parameter),
      fc.array(expression, { maxLength: 3 }).map((items): Expression => ({ kind: "list", items, at })),
      map,
      fc
        .record({ target: expression, key: name })
        .map((parts): Expression => ({ kind: "property", ...parts, at })),
      fc
        .record({ target: expression, index: expression })
        .map((parts): Expression => ({ kind: "index", ...parts, at })),
      fc
        .record({ target: expression, from: expression, to: maybe(expression) })
        .map(({ target, ...parts }): Expression => ({ kind: "slice", target, ...omitUndefined(parts), at })),
      fc
        .record({ operator: fc.constantFrom("-", "+" as const), operand: expression })
        .map((parts): Expression => ({ kind: "unary", ...parts, at })),
      condition.map((operand): Expression => ({ kind: "unary", operator: "NOT", operand, at })),
      fc
        .record({ operator: fc.constantFrom("OR", "XOR", "AND" as const), left: condition, right: condition })
        .map((parts): Expression => ({ kind: "binary", ...parts, at })),
      fc
        .record({
          operator: fc.constantFrom(
            ...([
              "=~",
              "STARTS WITH",
              "ENDS WITH",
              "CONTAINS",
              "IN",
              "+",
              "-",
              "||",
              "*",
              "/",
              "%",
              "^",
            ] as const),
          ),
          left: expression,
          right: expression,
        })
        .map((parts): Expression => ({ kind: "binary", ...parts, at })),
      fc
        .record({ first: expression, rest: steps })
        .map((parts): Expression => ({ kind: "comparison", ...parts, at })),
      fc
        .record({ operand: expression, negated: fc.boolean() })
        .map((parts): Expression => ({ kind: "is-null", ...parts, at })),
      fc
        .record({ target: expression, label: tie("label") })
        .map((parts): Expression => ({ kind: "label-test", ...parts, at })),
      call,
      fc
        .record({ alternatives: some(alternative(false)), otherwise: maybe(expression) })
        .map(({ alternatives, otherwise }): Expression => {
          return { kind: "case", alternatives, ...omitUndefined({ otherwise }), at };
        }),
      fc
        .record({ subject: expression, alternatives: some(alternative(true)), otherwise: maybe(expression) })
        .map(({ subject, alternatives, otherwise }): Expression => {
          return { kind: "case", subject, alternatives, ...omitUndefined({ otherwise }), at };
        }),
      fc
        .record({ variable: name, list: expression, where: maybe(condition), result: maybe(expression) })
        .map(({ variable, list, ...parts }): Expression => {
          return { kind: "list-comprehension", variable, list, ...omitUndefined(parts), at };
        }),
      fc
        .record({
          variable: maybe(name),
          elements: elements(true, 1),
          where: maybe(condition),
          result: expression,
        })
        .map(({ variable, elements: inside, where, result }): Expression => {
          const pattern: PathPattern = { kind: "path", ...omitUndefined({ variable }), elements: inside, at };
          return { kind: "pattern-comprehension", pattern, ...omitUndefined({ where }), result, at };
        }),
      fc
        .record({
          quantifier: fc.constantFrom("all", "any", "none", "single" as const),
          variable: name,
          list: expression,
          where: condition,
        })
        .map((parts): Expression => ({ kind: "quantifier", ...parts, at })),
      fc
        .record({
          accumulator: name,
          initial: expression,
          variable: name,
          list: expression,
          result: expression,
        })
        .map((parts): Expression => ({ kind: "reduce", ...parts, at })),
      fc
        .record({ kind: fc.constantFrom("exists" as const, "count" as const), body: tie("body") })
        .map((parts): Expression => ({ ...parts, at })),
    ),
    condition: fc.oneof(
      depth,
      expression,
      tie("predicatePath").map((pattern): Expression => ({ kind: "pattern-predicate", pattern, at })),
    ),
    predicatePath: elements(false, 1).map((inside): PathPattern => ({ kind: "path", elements: inside, at })),
    path: fc
      .record({ variable: maybe(name), elements: elements(true, 0) })
      .map(({ variable, elements: inside }): PathPattern => {
        return { kind: "path", ...omitUndefined({ variable }), elements: inside, at };
      }),
    entry: fc
      .record({ key: name, value: expression })
      .map((parts): MapEntry => ({ kind: "entry", ...parts, at })),
    body: fc.oneof(
      depth,
      fc
        .record({ patterns: some(tie("path")), where: maybe(condition) })
        .map(({ patterns, where }): SubqueryBody => ({
          kind: "pattern-body",
          patterns,
          ...omitUndefined({ where }),
          at,
        })),
      some(fc.oneof(match, withClause, unwind)).map((clauses): SubqueryBody => ({
        kind: "query",
        clauses,
        at,
      })),
    ),
    clause: fc.oneof(
      depth,
      match,
      withClause,
      unwind,
      fc
        .record({
          imports: fc.oneof<fc.Arbitrary<CallClause["imports"]>[]>(
            fc.constantFrom("importing-with" as const, "all" as const),
            fc.array(name, { maxLength: 2 }),
          ),
          body: tie("called"),
        })
        .map((parts): Clause => ({ kind: "call", ...parts, at })),
    ),
    called: fc
      .tuple(fc.array(fc.oneof(match, withClause, unwind), { maxLength: 2 }), projected)
      .map(([clauses, parts]): Query => ({
        kind: "query",
        clauses: [...clauses, { kind: "return", ...parts, at }],
        at,
      })),
  };
});

const use = fc
  .oneof(
    value.map((text) => ({ kind: "string" as const, value: text, at })),
    name.map((text) => ({ kind: "parameter" as const, name: text, at })),
  )
  .map((argument): Clause => ({ kind: "use", argument, at }));

export const { expression, path, label } = letTrees;

export const query: fc.Arbitrary<Query> = fc
  .tuple(fc.array(use, { maxLength: 1 }), some(letTrees.clause))
  .map(([first, rest]) => ({ kind: "query", clauses: [...first, ...rest], at }));

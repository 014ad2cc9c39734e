/** Expressions of arbitrary trees. */
import { omitUndefined } from "@ikg/contracts/values";
import fc from "fast-check";
import type {
  BinaryOperator,
  CaseAlternative,
  ComparisonStep,
  Expression,
  PathPattern,
  SubqueryBody,
} from "../../src/cypher/ast.ts";
import { binaryOperators, binarySyntax, comparisonOperators } from "../../src/cypher/operators.ts";
import { elements, mapOf, type PatternParts } from "./patterns.ts";
import {
  aggregateFunctions,
  at,
  literal,
  maybe,
  name,
  parameter,
  plainFunctions,
  some,
  variable,
} from "./words.ts";

/** What expressions are made of. */
export interface ExpressionParts extends PatternParts {
  readonly expression: fc.Arbitrary<Expression>;
  readonly body: fc.Arbitrary<SubqueryBody>;
}

type Expressions = readonly fc.Arbitrary<Expression>[];

const call = (expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
  fc.constantFrom(...plainFunctions).chain(([called, { least, most }]) =>
    fc
      .array(expression, { minLength: least, maxLength: Math.min(most, least + 1) })
      .map((args): Expression => {
        return { kind: "function", name: called, distinct: false, star: false, args, at };
      }),
  );

/** A call of an aggregating function. */
export const aggregate = (expression: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
  fc.oneof(
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

const postfix = ({ expression, label }: ExpressionParts): Expressions => [
  fc
    .record({ target: expression, key: name })
    .map((parts): Expression => ({ kind: "property", ...parts, at })),
  fc
    .record({ target: expression, index: expression })
    .map((parts): Expression => ({ kind: "index", ...parts, at })),
  fc
    .record({ target: expression, from: expression, to: maybe(expression) })
    .map(({ target, ...parts }): Expression => ({ kind: "slice", target, ...omitUndefined(parts), at })),
  fc.record({ target: expression, label }).map((parts): Expression => ({ kind: "label-test", ...parts, at })),
];

const isTruthOperator = (operator: BinaryOperator): boolean => binarySyntax[operator].flatChain === true;
const truthOperators = binaryOperators.filter(isTruthOperator);
const valueOperators = binaryOperators.filter((operator) => !isTruthOperator(operator));

const operators = ({ expression, condition }: ExpressionParts): Expressions => [
  fc
    .record({ operator: fc.constantFrom("-", "+" as const), operand: expression })
    .map((parts): Expression => ({ kind: "unary", ...parts, at })),
  condition.map((operand): Expression => ({ kind: "unary", operator: "NOT", operand, at })),
  fc
    .record({ operator: fc.constantFrom(...truthOperators), left: condition, right: condition })
    .map((parts): Expression => ({ kind: "binary", ...parts, at })),
  fc
    .record({ operator: fc.constantFrom(...valueOperators), left: expression, right: expression })
    .map((parts): Expression => ({ kind: "binary", ...parts, at })),
  fc
    .record({ first: expression, rest: some(step(expression)) })
    .map((parts): Expression => ({ kind: "comparison", ...parts, at })),
  fc
    .record({ operand: expression, negated: fc.boolean() })
    .map((parts): Expression => ({ kind: "is-null", ...parts, at })),
];

const step = (expression: fc.Arbitrary<Expression>): fc.Arbitrary<ComparisonStep> =>
  fc
    .record({ operator: fc.constantFrom(...comparisonOperators), operand: expression })
    .map((parts) => ({ kind: "step", ...parts, at }));

const cases = ({ expression, condition }: ExpressionParts): Expressions => {
  const alternative = (values: boolean): fc.Arbitrary<CaseAlternative> =>
    fc
      .record({ when: values ? some(expression) : condition.map((one) => [one]), then: expression })
      .map((parts) => ({ kind: "alternative", ...parts, at }));
  return [
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
  ];
};

const loops = ({ expression, condition }: ExpressionParts): Expressions => [
  fc
    .record({ variable: name, list: expression, where: maybe(condition), result: maybe(expression) })
    .map(({ variable: element, list, ...parts }): Expression => {
      return { kind: "list-comprehension", variable: element, list, ...omitUndefined(parts), at };
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
];

const subqueries = (parts: ExpressionParts): Expressions => [
  fc
    .record({
      variable: maybe(name),
      elements: elements(parts, true, 1),
      where: maybe(parts.condition),
      result: parts.expression,
    })
    .map(({ variable: path, elements: inside, where, result }): Expression => {
      const pattern: PathPattern = {
        kind: "path",
        ...omitUndefined({ variable: path }),
        elements: inside,
        at,
      };
      return { kind: "pattern-comprehension", pattern, ...omitUndefined({ where }), result, at };
    }),
  fc
    .record({ kind: fc.constantFrom("exists" as const, "count" as const), body: parts.body })
    .map((made): Expression => ({ ...made, at })),
];

/** An expression of every kind, but for patterns, which stand in conditions alone; the simplest first. */
export const expressionsOf = (parts: ExpressionParts): Expressions => [
  fc.oneof(literal, variable, parameter),
  fc.array(parts.expression, { maxLength: 3 }).map((items): Expression => ({ kind: "list", items, at })),
  mapOf(parts.entry),
  call(parts.expression),
  ...postfix(parts),
  ...operators(parts),
  ...cases(parts),
  ...loops(parts),
  ...subqueries(parts),
];

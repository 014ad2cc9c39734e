import type { Binary, Count, Exists, Expression, IsNull, Unary } from "../cypher/ast.ts";
import { compilePattern } from "../regex/pattern.ts";
import type { ParameterCheck } from "../values/reference.ts";
import { propertyKind, referenceKind, subscriptKind } from "./analyse-property.ts";
import { checkLabels } from "./check-labels.ts";
import {
  elementOf,
  functionKind,
  holdsGraph,
  joinKinds,
  list,
  mixedKind,
  unknown,
  value,
  type Kind,
} from "./kind.ts";
import type { Scope } from "./scope.ts";
import type { Visitor } from "./visitor.ts";

/** The analysis of one kind of expression. */
type Analyser<Kinds extends Expression["kind"]> = (
  expression: Extract<Expression, { readonly kind: Kinds }>,
  scope: Scope,
  visitor: Visitor,
  parameterCheck: ParameterCheck,
) => Kind;

const isParameter = (expression: Expression): boolean =>
  expression.kind === "parameter" || (expression.kind === "property" && isParameter(expression.target));

/**
 * `text =~ pattern`: the pattern is known before the statement runs, as a text or as a value of the request, because
 * the database's matcher takes time without bound on some patterns.
 */
const regexKind = (expression: Binary, scope: Scope, visitor: Visitor): Kind => {
  const { report } = visitor;
  const { left, right } = expression;
  visitor.expression(left, scope);
  if (right.kind === "string") {
    const pattern = compilePattern(right.value);
    if ("fault" in pattern) report.fault(right.at, `not an accepted regular expression: ${pattern.fault}`);
  } else if (isParameter(right)) {
    visitor.expression(right, scope, "pattern");
    const reference = report.references.get(right);
    if (reference !== undefined) report.needs.add(reference, "pattern", "pattern");
  } else {
    report.fault(right.at, "the right side of =~ is a text, a parameter or a claim");
  }
  return value;
};

/** Of two lists, or of a list and an element. */
const concatenationKind = (left: Kind, right: Kind): Kind => {
  if (left.kind !== "list" && right.kind !== "list")
    return holdsGraph(left) || holdsGraph(right) ? mixedKind : unknown;
  return list(joinKinds([left, right].map((side) => (side.kind === "list" ? side.of : side))));
};

const binaryKind: Analyser<"binary"> = (expression, scope, visitor) => {
  const { operator } = expression;
  const sides = (parameterCheck: ParameterCheck = "any"): readonly [Kind, Kind] => [
    visitor.expression(expression.left, scope),
    visitor.expression(expression.right, scope, parameterCheck),
  ];
  switch (operator) {
    case "=~":
      return regexKind(expression, scope, visitor);
    case "+":
    case "||":
      return concatenationKind(...sides());
    case "IN":
      sides("array");
      return value;
    case "OR":
    case "XOR":
    case "AND":
    case "STARTS WITH":
    case "ENDS WITH":
    case "CONTAINS":
    case "-":
    case "*":
    case "/":
    case "%":
    case "^":
      sides();
      return value;
  }
};

const variableKind: Analyser<"variable"> = ({ name, at }, scope, { report }) => {
  const binding = scope.get(name);
  if (binding === undefined) report.fault(at, `"${name}" is not bound`);
  return binding?.kind ?? unknown;
};

const labelTestKind: Analyser<"label-test"> = (expression, scope, visitor) => {
  const { report } = visitor;
  const { kind } = visitor.expression(expression.target, scope);
  const on = kind === "relationship" ? "relationship" : "node";
  if (kind !== "relationship" && kind !== "node") {
    report.fault(expression.at, "a label test needs a node or relationship");
  }
  report.labelTests.set(expression, on);
  if (on === "node") checkLabels(expression.label, report);
  return value;
};

const caseKind: Analyser<"case"> = ({ subject, alternatives, otherwise }, scope, visitor) => {
  if (subject !== undefined) visitor.expression(subject, scope);
  const results = alternatives.map(({ when, then }) => {
    for (const test of when) visitor.expression(test, scope);
    return visitor.expression(then, scope);
  });
  if (otherwise !== undefined) results.push(visitor.expression(otherwise, scope));
  return joinKinds(results);
};

/** The scope inside a loop, with the name of its variable. */
const loopScope = (variable: string, kind: Kind, scope: Scope, { report }: Visitor, at: number): Scope => {
  if (variable.startsWith("__")) report.fault(at, `the name "${variable}" is reserved`);
  if (report.isEndName(variable))
    report.fault(at, `"${variable}" names a node and may be used for nothing else`);
  const inner = scope.inner();
  inner.bind(variable, { kind, isOptional: false, isFromPattern: false });
  return inner;
};

const listComprehensionKind: Analyser<"list-comprehension"> = (expression, scope, visitor) => {
  const { variable, where, result, at } = expression;
  const source = visitor.expression(expression.list, scope, "array");
  const inner = loopScope(variable, elementOf(source), scope, visitor, at);
  if (where !== undefined) visitor.expression(where, inner);
  return result === undefined ? source : list(visitor.expression(result, inner));
};

const quantifierKind: Analyser<"quantifier"> = (expression, scope, visitor) => {
  const source = visitor.expression(expression.list, scope, "array");
  const inner = loopScope(expression.variable, elementOf(source), scope, visitor, expression.at);
  visitor.expression(expression.where, inner);
  return value;
};

const reduceKind: Analyser<"reduce"> = (expression, scope, visitor) => {
  const { accumulator, variable, at } = expression;
  const initial = visitor.expression(expression.initial, scope);
  const source = visitor.expression(expression.list, scope, "array");
  const withElement = loopScope(variable, elementOf(source), scope, visitor, at);
  const accumulated = holdsGraph(initial) || holdsGraph(source) ? mixedKind : unknown;
  const inner = loopScope(accumulator, accumulated, withElement, visitor, at);
  const result = visitor.expression(expression.result, inner);
  if (holdsGraph(result) && accumulated !== mixedKind)
    visitor.report.fault(at, "reduce returns a node or relationship only if its initial value is one");
  return accumulated === mixedKind || holdsGraph(result) ? mixedKind : unknown;
};

const patternComprehensionKind: Analyser<"pattern-comprehension"> = (expression, scope, visitor) => {
  const inner = visitor.pattern(expression, scope);
  if (expression.where !== undefined) visitor.expression(expression.where, inner);
  return list(visitor.expression(expression.result, inner));
};

const subqueryKind = ({ body }: Exists | Count, scope: Scope, visitor: Visitor): Kind => {
  visitor.patternBody(body, scope);
  return value;
};

const operandKind = ({ operand }: Unary | IsNull, scope: Scope, visitor: Visitor): Kind => {
  visitor.expression(operand, scope);
  return value;
};

const analysers: { readonly [Kinds in Expression["kind"]]: Analyser<Kinds> } = {
  string: () => value,
  integer: () => value,
  float: () => value,
  boolean: () => value,
  null: () => unknown,
  list: ({ items }, scope, visitor) => list(joinKinds(items.map((item) => visitor.expression(item, scope)))),
  map: ({ entries }, scope, visitor) => ({
    kind: "map",
    entries: new Map(entries.map((entry) => [entry.key, visitor.expression(entry.value, scope)])),
  }),
  parameter: (expression, _, { report }, parameterCheck) =>
    referenceKind(expression, expression.name, [], parameterCheck, report),
  variable: variableKind,
  property: propertyKind,
  index: subscriptKind,
  slice: ({ target, from, to }, scope, visitor) => {
    for (const bound of [from, to]) if (bound !== undefined) visitor.expression(bound, scope);
    return visitor.expression(target, scope);
  },
  unary: operandKind,
  binary: binaryKind,
  comparison: ({ first, rest }, scope, visitor) => {
    for (const side of [first, ...rest.map(({ operand }) => operand)]) visitor.expression(side, scope);
    return value;
  },
  "is-null": operandKind,
  "label-test": labelTestKind,
  function: ({ name, args }, scope, visitor) =>
    functionKind(
      name,
      args.map((argument) => visitor.expression(argument, scope)),
    ),
  case: caseKind,
  "list-comprehension": listComprehensionKind,
  "pattern-comprehension": patternComprehensionKind,
  quantifier: quantifierKind,
  reduce: reduceKind,
  exists: subqueryKind,
  count: subqueryKind,
  "pattern-predicate": (expression, scope, visitor) => {
    visitor.pattern(expression, scope);
    return value;
  },
};

/** Analyses one expression: names bound, paths and references resolved; returns its kind. */
export const analyseExpression = (
  expression: Expression,
  scope: Scope,
  visitor: Visitor,
  parameterCheck: ParameterCheck = "any",
): Kind => {
  // The analyser under an expression's own kind takes that kind; the compiler cannot follow the lookup.
  const analyser = analysers[expression.kind] as Analyser<Expression["kind"]>;
  return analyser(expression, scope, visitor, parameterCheck);
};

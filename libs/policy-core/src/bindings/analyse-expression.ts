import type { Expression, MapLiteral, Property } from "../cypher/ast.ts";
import { isFault, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { namePattern } from "../shape.ts";
import { referenceOf } from "../values/reference.ts";
import type { Demand } from "../values/needs.ts";
import {
  common,
  elementOf,
  functionKind,
  list,
  node,
  relationship,
  unknown,
  value,
  type Kind,
} from "./kind.ts";
import { checkLabels } from "./labels.ts";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/** The parts of the analysis that need one another. */
export interface Visitor {
  readonly report: Report;
  expression(expression: Expression, scope: Scope, demand?: Demand): Kind;
  patternBody(body: Extract<Expression, { kind: "exists" | "count" }>["body"], scope: Scope): void;
  pattern(
    expression: Extract<Expression, { kind: "pattern-predicate" | "pattern-comprehension" }>,
    scope: Scope,
  ): Scope;
}

const unroll = (expression: Property): { root: Expression; keys: readonly string[] } => {
  const keys: string[] = [];
  let at: Expression = expression;
  while (at.kind === "property") {
    keys.unshift(at.key);
    at = at.target;
  }
  return { root: at, keys };
};

const reference = (
  expression: Expression,
  name: string,
  keys: readonly string[],
  demand: Demand,
  report: Report,
): Kind => {
  const found = referenceOf(name, keys, report.language);
  if ("fault" in found) report.fault(expression.at, found.fault);
  else {
    report.references.set(expression, found);
    report.needs.add(found, demand);
  }
  return unknown;
};

/** A node path's alias is only for messages and matching; the root may be any expression that yields a node. */
const pathText = (root: Expression, keys: readonly string[]): string =>
  [root.kind === "variable" ? root.name : "node", ...keys].join(".");

const property = (expression: Property, scope: Scope, visitor: Visitor, demand: Demand): Kind => {
  const { report } = visitor;
  const { root, keys } = unroll(expression);
  const odd = keys.find((key) => !namePattern.test(key));
  if (odd !== undefined) {
    report.fault(expression.at, `"${odd.slice(0, 64)}" is not a property name`);
    return unknown;
  }
  if (root.kind === "parameter") return reference(expression, root.name, keys, demand, report);
  const kind = visitor.expression(root, scope);
  const asNode =
    kind.kind === "node" || (kind.kind === "unknown" && keys.length > 1 && keys[0] === "property");
  if (asNode) {
    const path = readNodePath(pathText(root, keys));
    if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
    else if (
      ["all", "all-properties", "property-and-metadata", "all-metadata", "all-trust"].includes(path.kind)
    ) {
      report.fault(expression.at, "wildcards stand in allow-lists and projections only");
    } else report.paths.set(expression, { kind: "node-path", root, path });
    return value;
  }
  if (kind.kind === "relationship") {
    const path = readRelationshipPath(pathText(root, keys));
    if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
    else report.paths.set(expression, { kind: "relationship-path", root, path });
    return value;
  }
  if (kind.kind === "path" || kind.kind === "list") {
    report.fault(expression.at, `a ${kind.kind} has no property "${keys[0] ?? ""}"`);
  } else if (keys.some((key) => key.startsWith("_"))) {
    report.fault(expression.at, "a key may not start with _");
  }
  return unknown;
};

const entries = (map: MapLiteral, scope: Scope, visitor: Visitor): void => {
  for (const entry of map.entries) visitor.expression(entry.value, scope);
};

const bound = (variable: string, kind: Kind, scope: Scope, visitor: Visitor, at: number): Scope => {
  if (variable.startsWith("__")) visitor.report.fault(at, `the name "${variable}" is reserved`);
  const inner = scope.inner();
  inner.bind(variable, { kind, optional: false, pattern: false });
  return inner;
};

/** Analyses one expression: names bound, paths and references resolved; returns its kind. */
export const analyseExpression = (
  expression: Expression,
  scope: Scope,
  visitor: Visitor,
  demand: Demand = "any",
): Kind => {
  const { report } = visitor;
  const visit = (each: Expression, within: Scope = scope): Kind => visitor.expression(each, within);
  switch (expression.kind) {
    case "string":
    case "integer":
    case "float":
    case "boolean":
      return value;
    case "null":
      return unknown;
    case "list":
      return list(common(expression.items.map((item) => visit(item))));
    case "map":
      entries(expression, scope, visitor);
      return unknown;
    case "parameter":
      return reference(expression, expression.name, [], demand, report);
    case "variable": {
      const binding = scope.get(expression.name);
      if (binding === undefined) report.fault(expression.at, `"${expression.name}" is not bound`);
      return binding?.kind ?? unknown;
    }
    case "property":
      return property(expression, scope, visitor, demand);
    case "index":
      visit(expression.index);
      return elementOf(visit(expression.target));
    case "slice":
      if (expression.from !== undefined) visit(expression.from);
      if (expression.to !== undefined) visit(expression.to);
      return visit(expression.target);
    case "unary":
      visit(expression.operand);
      return value;
    case "binary": {
      const left = visit(expression.left);
      visitor.expression(expression.right, scope, expression.operator === "IN" ? "array" : "any");
      // Concatenation keeps the kind of its list.
      return left.kind === "list" ? left : value;
    }
    case "comparison":
      visit(expression.first);
      for (const step of expression.rest) visit(step.operand);
      return value;
    case "is-null":
      visit(expression.operand);
      return value;
    case "label-test": {
      const target = visit(expression.target);
      const on = target.kind === "relationship" ? "relationship" : "node";
      if (target.kind !== "relationship" && target.kind !== "node") {
        report.fault(expression.at, "a label test needs a node or relationship");
      }
      report.labelTests.set(expression, on);
      if (on === "node") checkLabels(expression.label, report);
      return value;
    }
    case "function":
      return functionKind(
        expression.name,
        expression.args.map((argument) => visit(argument)),
      );
    case "case": {
      if (expression.subject !== undefined) visit(expression.subject);
      const results = expression.alternatives.map((alternative) => {
        for (const test of alternative.when) visit(test);
        return visit(alternative.then);
      });
      if (expression.otherwise !== undefined) results.push(visit(expression.otherwise));
      return common(results);
    }
    case "list-comprehension": {
      const source = visitor.expression(expression.list, scope, "array");
      const inner = bound(expression.variable, elementOf(source), scope, visitor, expression.at);
      if (expression.where !== undefined) visit(expression.where, inner);
      return expression.result === undefined ? source : list(visit(expression.result, inner));
    }
    case "quantifier": {
      const source = visitor.expression(expression.list, scope, "array");
      const inner = bound(expression.variable, elementOf(source), scope, visitor, expression.at);
      visit(expression.where, inner);
      return value;
    }
    case "reduce": {
      const initial = visit(expression.initial);
      const source = visitor.expression(expression.list, scope, "array");
      const withElement = bound(expression.variable, elementOf(source), scope, visitor, expression.at);
      const inner = bound(
        expression.accumulator,
        initial.kind === "value" ? value : unknown,
        withElement,
        visitor,
        expression.at,
      );
      visit(expression.result, inner);
      return unknown;
    }
    case "exists":
    case "count":
      visitor.patternBody(expression.body, scope);
      return value;
    case "pattern-predicate":
      visitor.pattern(expression, scope);
      return value;
    case "pattern-comprehension": {
      const inner = visitor.pattern(expression, scope);
      if (expression.where !== undefined) visit(expression.where, inner);
      return list(visit(expression.result, inner));
    }
  }
};

/** Kinds of what a relationship pattern binds. */
export const relationshipKind = (variableLength: boolean): Kind =>
  variableLength ? list(relationship) : relationship;
/** Kind of what a node pattern binds. */
export const nodeKind = (label: string | undefined): Kind =>
  label === undefined ? node : { kind: "node", label };

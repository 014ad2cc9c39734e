import type { Binary, Expression, Clause, MapLiteral, Property } from "../cypher/ast.ts";
import { namePattern } from "../json.ts";
import { isFault, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { compilePattern } from "../regex/pattern.ts";
import { referenceOf, type Demand } from "../values/reference.ts";
import {
  type Kind,
  value,
  joinKinds,
  elementOf,
  functionKind,
  holdsGraph,
  list,
  memberOf,
  mixed,
  node,
  relationship,
  unknown,
} from "./kind.ts";
import { checkLabels } from "./check-labels.ts";
import type { Scope, SemanticInfo } from "./scope.ts";

const isParameter = (expression: Expression): boolean =>
  expression.kind === "parameter" || (expression.kind === "property" && isParameter(expression.target));

/**
 * `text =~ pattern`: the pattern is known before the statement runs, as a text or as a value of the request, because
 * the database's matcher takes time without bound on some patterns.
 */
const analyseMatch = (expression: Binary, scope: Scope, visitor: Visitor): Kind => {
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

/** The parts of the analysis that need one another. */
export interface Visitor {
  readonly report: SemanticInfo;
  /** Where the analysis stands: 0 for the text itself, more inside subqueries. */
  readonly place: { readonly depth: number; readonly isolatedScope: boolean };
  /** Clauses of a subquery, which must keep nothing; gives the scope after them. */
  clauses(clauses: readonly Clause[], scope: Scope): Scope;
  /** Analyses a subquery; `apart`: one that does not see every name around it. */
  inside<T>(isolatedScope: boolean, analyse: () => T): T;
  expression(expression: Expression, scope: Scope, demand?: Demand): Kind;
  patternBody(body: Extract<Expression, { kind: "exists" | "count" }>["body"], scope: Scope): void;
  pattern(
    expression: Extract<Expression, { kind: "pattern-predicate" | "pattern-comprehension" }>,
    scope: Scope,
  ): Scope;
}

const wildcards: ReadonlySet<string> = new Set([
  "all",
  "all-properties",
  "property-and-metadata",
  "all-metadata",
  "all-trust",
]);

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
  report: SemanticInfo,
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
  switch (kind.kind) {
    case "node": {
      const path = readNodePath(pathText(root, keys));
      if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
      else if (wildcards.has(path.kind)) {
        report.fault(expression.at, "wildcards stand in allow-lists and projections only");
      } else report.paths.set(expression, { kind: "node-path", root, path });
      return value;
    }
    case "relationship": {
      const path = readRelationshipPath(pathText(root, keys));
      if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
      else report.paths.set(expression, { kind: "relationship-path", root, path });
      return value;
    }
    case "map":
      return member(expression, kind, keys, visitor);
    case "path":
    case "list":
    case "mixed":
      report.fault(expression.at, `${noMembers[kind.kind]} has no property "${keys[0] ?? ""}"`);
      return unknown;
    case "value":
    case "unknown":
      return unknown;
  }
};

const noMembers = { path: "a path", list: "a list", mixed: "a value that may be a node" } as const;

/** Walks a map of the author's making; a node in it is read by a path of the language. */
const member = (expression: Property, map: Kind, keys: readonly string[], visitor: Visitor): Kind => {
  let kind = map;
  for (const key of keys) {
    if (kind.kind !== "map" && holdsGraph(kind)) {
      visitor.report.fault(
        expression.at,
        `name the node or relationship in "${keys.join(".")}" by WITH before its properties`,
      );
      return unknown;
    }
    kind = memberOf(kind, key);
  }
  return kind;
};

/** `target[index]`: of lists and maps. A node's properties are not reached by a computed name. */
const subscript = (
  expression: Extract<Expression, { kind: "index" }>,
  scope: Scope,
  visitor: Visitor,
): Kind => {
  visitor.expression(expression.index, scope);
  const target = visitor.expression(expression.target, scope);
  if (target.kind === "list") return target.of;
  if (target.kind === "map") {
    return memberOf(target, expression.index.kind === "string" ? expression.index.value : undefined);
  }
  if (holdsGraph(target)) {
    visitor.report.fault(
      expression.at,
      "a subscript reads no property of a node or relationship; write x.property.<name>",
    );
  }
  return unknown;
};

const mapKind = (map: MapLiteral, scope: Scope, visitor: Visitor): Kind => ({
  kind: "map",
  entries: new Map(map.entries.map((entry) => [entry.key, visitor.expression(entry.value, scope)])),
});

/** Names that mean what the request names, wherever they stand: nothing else may have them. */
export const isEnd = (name: string, { language }: SemanticInfo): boolean =>
  name === "subject" || (name === "resource" && language === "kbac");

const bound = (variable: string, kind: Kind, scope: Scope, visitor: Visitor, at: number): Scope => {
  if (variable.startsWith("__")) visitor.report.fault(at, `the name "${variable}" is reserved`);
  if (isEnd(variable, visitor.report)) visitor.report.fault(at, `"${variable}" stands for a node only`);
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
      return list(joinKinds(expression.items.map((item) => visit(item))));
    case "map":
      return mapKind(expression, scope, visitor);
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
      return subscript(expression, scope, visitor);
    case "slice":
      if (expression.from !== undefined) visit(expression.from);
      if (expression.to !== undefined) visit(expression.to);
      return visit(expression.target);
    case "unary":
      visit(expression.operand);
      return value;
    case "binary": {
      if (expression.operator === "=~") return analyseMatch(expression, scope, visitor);
      const left = visit(expression.left);
      const right = visitor.expression(
        expression.right,
        scope,
        expression.operator === "IN" ? "array" : "any",
      );
      if (expression.operator !== "+" && expression.operator !== "||") return value;
      // Concatenation: of two lists, or of a list and an element.
      if (left.kind !== "list" && right.kind !== "list")
        return holdsGraph(left) || holdsGraph(right) ? mixed : unknown;
      return list(joinKinds([left, right].map((side) => (side.kind === "list" ? side.of : side))));
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
      return joinKinds(results);
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
        holdsGraph(initial) || holdsGraph(source) ? mixed : unknown,
        withElement,
        visitor,
        expression.at,
      );
      const result = visit(expression.result, inner);
      if (holdsGraph(result) && !holdsGraph(initial) && !holdsGraph(source))
        report.fault(expression.at, "reduce gives a node or relationship only when it begins with one");
      return [initial, source, result].some(holdsGraph) ? mixed : unknown;
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

import type { NodePattern, PathPattern, RelationshipPattern } from "../cypher/ast.ts";
import { namePattern } from "../json.ts";
import { checkLabels, checkTypes } from "./check-labels.ts";
import { type Kind, nodeKind, plainLabel, relationshipKind } from "./kind.ts";
import type { Scope } from "./scope.ts";
import type { Visitor } from "./visitor.ts";

/** How a pattern may treat names. */
interface PatternRules {
  readonly optional: boolean;
  /** Whether the pattern may bind names that are not bound yet; a pattern predicate may not. */
  readonly binds: boolean;
  /** 0 for clauses of the text itself, more inside subqueries. */
  readonly depth: number;
  /** Inside a CALL that does not see every name around it. */
  readonly isolatedScope: boolean;
}

const freshName = (name: string, at: number, visitor: Visitor): void => {
  if (name.startsWith("__")) visitor.report.fault(at, `the name "${name}" is reserved`);
  else if (!namePattern.test(name))
    visitor.report.fault(at, `"${name.slice(0, 64)}" is not a name for an alias`);
};

const declare = (
  name: string,
  kind: Kind,
  at: number,
  scope: Scope,
  rules: PatternRules,
  visitor: Visitor,
): boolean => {
  const known = scope.get(name);
  if (kind.kind !== "node" && visitor.report.isEndName(name)) {
    visitor.report.fault(at, `"${name}" names a node and may be used for nothing else`);
    return false;
  }
  if (known === undefined) {
    if (!rules.binds) {
      visitor.report.fault(at, `"${name}" is not bound; a pattern in an expression binds nothing`);
      return false;
    }
    freshName(name, at, visitor);
    if (scope.isBoundOutside(name)) visitor.report.fault(at, `"${name}" is bound around this subquery`);
    scope.bind(name, { kind, isOptional: rules.optional, isFromPattern: true });
    return true;
  }
  if (kind.kind !== "node") visitor.report.fault(at, `"${name}" is bound already`);
  else if (known.kind.kind !== "node") visitor.report.fault(at, `"${name}" is not a node`);
  else if (known.isOptional && !rules.optional && scope.own().has(name)) {
    // A MATCH on the name drops the rows in which it is null.
    scope.bind(name, { ...known, isOptional: false });
  }
  return false;
};

const declareNode = (pattern: NodePattern, scope: Scope, rules: PatternRules, visitor: Visitor): void => {
  if (pattern.label !== undefined) checkLabels(pattern.label, visitor.report);
  if (pattern.variable === undefined) return;
  visitor.report.named.push(pattern);
  const binds = declare(
    pattern.variable,
    nodeKind(plainLabel(pattern.label)),
    pattern.at,
    scope,
    rules,
    visitor,
  );
  if (binds) {
    visitor.report.binders.set(pattern, {
      alias: pattern.variable,
      depth: rules.depth,
      optional: rules.optional,
      isolatedScope: rules.isolatedScope,
      beforeFirstWith: scope.beforeFirstWith,
    });
  } else if (scope.get(pattern.variable)?.kind.kind === "node") visitor.report.rebound.add(pattern);
};

const declareRelationship = (
  pattern: RelationshipPattern,
  scope: Scope,
  rules: PatternRules,
  visitor: Visitor,
): void => {
  if (pattern.label !== undefined) checkTypes(pattern.label, visitor.report);
  if (pattern.variable === undefined) return;
  declare(
    pattern.variable,
    relationshipKind(pattern.length !== undefined),
    pattern.at,
    scope,
    rules,
    visitor,
  );
};

const visitInside = (pattern: NodePattern | RelationshipPattern, scope: Scope, visitor: Visitor): void => {
  for (const entry of pattern.properties?.entries ?? []) {
    if (!namePattern.test(entry.key)) visitor.report.fault(entry.at, "not a property name");
    visitor.expression(entry.value, scope);
  }
  if (pattern.where !== undefined) visitor.expression(pattern.where, scope);
};

/**
 * Analyses the patterns of one clause: first every name, then the expressions inside, which may use them all.
 */
export const analysePatterns = (
  patterns: readonly PathPattern[],
  scope: Scope,
  rules: PatternRules,
  visitor: Visitor,
): void => {
  for (const path of patterns) {
    for (const element of path.elements) {
      if (element.kind === "node") declareNode(element, scope, rules, visitor);
      else declareRelationship(element, scope, rules, visitor);
    }
    if (path.variable !== undefined) declare(path.variable, { kind: "path" }, path.at, scope, rules, visitor);
  }
  for (const path of patterns) {
    for (const element of path.elements) visitInside(element, scope, visitor);
  }
};

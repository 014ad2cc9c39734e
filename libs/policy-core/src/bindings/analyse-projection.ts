import type { Binding } from "./kind.ts";
import type { Expression, Node, NodeKind, ProjectionItem, ReturnClause, WithClause } from "../cypher/ast.ts";
import { isAggregate } from "../cypher/functions.ts";
import { itemName } from "../cypher/names.ts";
import { childrenOf, nodesOf } from "../cypher/walk.ts";
import { namePattern } from "../json.ts";
import { Scope } from "./scope.ts";
import type { Visitor } from "./visitor.ts";

/** What brings rows of its own: an aggregate inside folds those. */
const ownRows: ReadonlySet<NodeKind> = new Set([
  "exists",
  "count",
  "pattern-predicate",
  "pattern-comprehension",
]);

/** True when the expression folds rows; subqueries fold rows of their own. */
export const isAggregating = (node: Node): boolean =>
  !ownRows.has(node.kind) && (isAggregate(node) || childrenOf(node).some(isAggregating));

const keeps = (item: ProjectionItem, name: string): boolean =>
  item.expression.kind === "variable" && item.expression.name === name;

const bindItem = (item: ProjectionItem, from: Scope, to: Scope, star: boolean, visitor: Visitor): void => {
  const { report } = visitor;
  const name = itemName(item) ?? "";
  const kind = visitor.expression(item.expression, from);
  if (name.startsWith("__")) report.fault(item.at, `the name "${name}" is reserved`);
  // An expression without a name, and two items of one name, are refused when the text is read.
  else if (name !== "" && !namePattern.test(name))
    report.fault(item.at, `"${name.slice(0, 64)}" is not a name for a value`);
  if (star && from.own().has(name)) report.fault(item.at, `"${name}" is named twice`);
  const kept = keeps(item, name) ? from.get(name) : undefined;
  // subject and resource mean what the request names; nothing else may take their names.
  if (kept === undefined && report.isEndName(name)) {
    report.fault(item.at, `"${name}" cannot be bound again`);
  }
  if (kept === undefined && from.isBoundOutside(name)) {
    report.fault(item.at, `"${name}" is bound around this subquery`);
  }
  const binding: Binding = kept ?? { kind, isOptional: false, isFromPattern: false };
  to.bind(name, binding);
};

/** True when the expression reads a value of the request. */
const readsRequest = (expression: Expression, { report }: Visitor): boolean => {
  for (const node of nodesOf(expression)) {
    if (report.references.has(node as Expression)) return true; // a lookup only: a node that is not an expression is not a key
  }
  return false;
};

/**
 * Analyses a WITH or a RETURN: the names after it are those it lists.
 *
 * @returns the scope of what follows.
 */
export const analyseProjection = (
  clause: WithClause | ReturnClause,
  scope: Scope,
  visitor: Visitor,
): Scope => {
  const { report } = visitor;
  const { depth } = visitor.nesting;
  const next = scope.after(clause.star ? scope.own() : [], clause.star);
  for (const item of clause.items) bindItem(item, scope, next, clause.star, visitor);

  const folding = clause.items.filter((item) => isAggregating(item.expression));
  if (folding.length > 0) report.aggregates = true;
  if (depth === 0 && (clause.skip !== undefined || clause.limit !== undefined)) report.cuts = true;
  // Next to an aggregate the database accepts a value of the request only as a parameter, not from a row.
  if (folding.some((item) => !isAggregate(item.expression) && readsRequest(item.expression, visitor))) {
    report.notBatchable = true;
  }
  const folds = folding.length > 0 || clause.distinct;
  const visible = folds ? next : scope.after([...scope.own(), ...next.own()], false);
  for (const item of clause.orderBy) visitor.expression(item.expression, visible);
  for (const count of [clause.skip, clause.limit]) {
    if (count === undefined) continue;
    visitor.expression(count, new Scope(), "count");
    if (readsRequest(count, visitor)) report.notBatchable = true;
  }
  if (clause.kind === "with" && clause.where !== undefined) visitor.expression(clause.where, visible);
  return next;
};

import type { Clause, Query } from "../cypher/ast.ts";
import type { Language } from "../values/reference.ts";
import { analyseExpression, type Visitor } from "./analyse-expression.ts";
import { analysePatterns } from "./analyse-pattern.ts";
import { analyseWith } from "./analyse-with.ts";
import { elementOf, node } from "./kind.ts";
import { Report, type Analysis } from "./report.ts";
import { Scope } from "./scope.ts";

/** Names that every WITH of the text itself must keep once they are bound (policies specification 5.2). */
export type Required = readonly ("subject" | "resource")[];

const requireKept = (before: Scope, after: Scope, required: Required, at: number, report: Report): void => {
  const lost = required.some((name) => before.own().has(name) && !after.own().has(name));
  if (lost) report.fault(at, "missing required variables in WITH statement");
};

const clause = (each: Clause, scope: Scope, depth: number, required: Required, visitor: Visitor): Scope => {
  switch (each.kind) {
    case "match":
      analysePatterns(each.patterns, scope, { optional: each.optional, binds: true, depth }, visitor);
      if (each.where !== undefined) visitor.expression(each.where, scope);
      return scope;
    case "with": {
      const next = analyseWith(each, scope, depth, visitor);
      if (depth === 0) requireKept(scope, next, required, each.at, visitor.report);
      return next;
    }
    case "unwind": {
      const kind = elementOf(visitor.expression(each.expression, scope, "array"));
      if (each.alias.startsWith("__")) visitor.report.fault(each.at, `the name "${each.alias}" is reserved`);
      if (scope.get(each.alias) !== undefined || each.alias === "subject" || each.alias === "resource") {
        visitor.report.fault(each.at, `"${each.alias}" is bound already`);
      }
      scope.bind(each.alias, { kind, optional: false, pattern: false });
      return scope;
    }
    case "use":
    case "call":
    case "return":
      visitor.report.fault(each.at, `${each.kind.toUpperCase()} is not available yet`);
      return scope;
  }
};

const createVisitor = (report: Report): Visitor => {
  let depth = 0;
  const visitor: Visitor = {
    report,
    expression: (expression, scope, demand) => analyseExpression(expression, scope, visitor, demand),
    patternBody: (body, scope) => {
      depth++;
      const inner = scope.inner();
      if (body.kind === "query") clauses(body, inner, depth, [], visitor);
      else {
        analysePatterns(body.patterns, inner, { optional: false, binds: true, depth }, visitor);
        if (body.where !== undefined) visitor.expression(body.where, inner);
      }
      depth--;
    },
    pattern: (expression, scope) => {
      depth++;
      const inner = scope.inner();
      const binds = expression.kind === "pattern-comprehension";
      analysePatterns([expression.pattern], inner, { optional: false, binds, depth }, visitor);
      depth--;
      return inner;
    },
  };
  return visitor;
};

const clauses = (query: Query, scope: Scope, depth: number, required: Required, visitor: Visitor): Scope =>
  query.clauses.reduce((at, each) => clause(each, at, depth, required, visitor), scope);

/**
 * Finds what every name, path and reference of a text stands for. Faults are in the report; the text is good
 * when there are none.
 *
 * @param required names that must be bound by a MATCH and kept by every WITH.
 */
export const analyse = (query: Query, language: Language, required: Required): Analysis => {
  const report = new Report(language);
  const visitor = createVisitor(report);
  const scope = clauses(query, new Scope(), 0, required, visitor);
  // What is missing at the end of a text with faults follows from them.
  for (const name of report.faults.length === 0 ? required : []) {
    const binding = scope.own().get(name);
    if (binding === undefined || binding.kind.kind !== node.kind)
      report.fault(0, `"${name}" must be bound as a node`);
    else if (binding.optional)
      report.fault(0, `"${name}" must be bound by a MATCH, not by an OPTIONAL MATCH alone`);
  }
  return { report, bindings: scope.own() };
};

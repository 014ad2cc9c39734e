import type { Clause, Query } from "../cypher/ast.ts";
import { namePattern } from "../shape.ts";
import type { Language } from "../values/reference.ts";
import { analyseCall } from "./analyse-call.ts";
import { analyseExpression, type Visitor } from "./analyse-expression.ts";
import { analysePatterns } from "./analyse-pattern.ts";
import { analyseProjection } from "./analyse-projection.ts";
import { analyseUse } from "./analyse-use.ts";
import { elementOf, node } from "./kind.ts";
import { Report, type Analysis } from "./report.ts";
import { Scope } from "./scope.ts";

/** Names that every WITH of the text itself must keep once they are bound (policies specification 5.2). */
export type Required = readonly ("subject" | "resource")[];

const requireKept = (before: Scope, after: Scope, required: Required, at: number, report: Report): void => {
  const lost = required.some((name) => before.own().has(name) && !after.own().has(name));
  if (lost) report.fault(at, "missing required variables in WITH statement");
};

const clause = (each: Clause, scope: Scope, required: Required, visitor: Visitor): Scope => {
  const { report, place } = visitor;
  switch (each.kind) {
    case "match":
      analysePatterns(each.patterns, scope, { optional: each.optional, binds: true, ...place }, visitor);
      if (each.where !== undefined) visitor.expression(each.where, scope);
      return scope;
    case "with": {
      const next = analyseProjection(each, scope, visitor);
      requireKept(scope, next, required, each.at, report);
      return next;
    }
    case "unwind": {
      const kind = elementOf(visitor.expression(each.expression, scope, "array"));
      if (each.alias.startsWith("__")) report.fault(each.at, `the name "${each.alias}" is reserved`);
      else if (!namePattern.test(each.alias))
        report.fault(each.at, `"${each.alias.slice(0, 64)}" is not a name for a value`);
      const bound = scope.get(each.alias) !== undefined || scope.isTaken(each.alias);
      if (bound || each.alias === "subject" || each.alias === "resource") {
        report.fault(each.at, `"${each.alias}" is bound already`);
      }
      scope.bind(each.alias, { kind, optional: false, pattern: false });
      return scope;
    }
    case "use":
      analyseUse(each, report);
      return scope;
    case "call":
      analyseCall(each, scope, visitor);
      return scope;
    case "return":
      // Stands at the end of a CALL, which analyses it, and nowhere else.
      return scope;
  }
};

const createVisitor = (report: Report): Visitor => {
  let place = { depth: 0, apart: false };
  const visitor: Visitor = {
    report,
    get place() {
      return place;
    },
    expression: (expression, scope, demand) => analyseExpression(expression, scope, visitor, demand),
    clauses: (list, scope) => list.reduce((at, each) => clause(each, at, [], visitor), scope),
    inside: (apart, analyseInside) => {
      const around = place;
      place = { depth: around.depth + 1, apart: around.apart || apart };
      const result = analyseInside();
      place = around;
      return result;
    },
    patternBody: (body, scope) =>
      visitor.inside(false, () => {
        const inner = scope.inner();
        if (body.kind === "query") {
          visitor.clauses(body.clauses, inner);
          return;
        }
        analysePatterns(body.patterns, inner, { optional: false, binds: true, ...place }, visitor);
        if (body.where !== undefined) visitor.expression(body.where, inner);
      }),
    pattern: (expression, scope) =>
      visitor.inside(false, () => {
        const inner = scope.inner();
        const binds = expression.kind === "pattern-comprehension";
        analysePatterns([expression.pattern], inner, { optional: false, binds, ...place }, visitor);
        return inner;
      }),
  };
  return visitor;
};

/**
 * Finds what every name, path and reference of a text stands for. Faults are in the report; the text is good
 * when there are none.
 *
 * @param required names that must be bound by a MATCH and kept by every WITH.
 */
export const analyse = (query: Query, language: Language, required: Required): Analysis => {
  const report = new Report(language);
  const visitor = createVisitor(report);
  const scope = query.clauses.reduce((at, each) => clause(each, at, required, visitor), new Scope());
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

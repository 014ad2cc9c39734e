import type { UseClause, CallClause, Clause, Query, ReturnClause } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import { namePattern } from "../json.ts";
import { referenceOf, type Language } from "../values/reference.ts";
import { analyseExpression } from "./analyse-expression.ts";
import { analysePatterns } from "./analyse-pattern.ts";
import { analyseProjection } from "./analyse-projection.ts";
import { checkUnusedReturn } from "./check-unused-return.ts";
import { elementOf, node, type Binding } from "./kind.ts";
import { AnalysisReport, type CallReport, Scope, type Analysis } from "./scope.ts";
import type { Visitor } from "./visitor.ts";

/**
 * Checks the argument of a USE. Its parameter is no value of the text: it is resolved before the statement runs, so it
 * is no reference and not among the needed parameters.
 */
const analyseUse = (use: UseClause, report: AnalysisReport): void => {
  const { argument } = use;
  if (argument.kind === "parameter") {
    const reference = referenceOf(argument.name, [], report.language);
    if ("fault" in reference || reference.kind !== "parameter") {
      report.fault(argument.at, `parameter "$${argument.name}" is reserved and cannot be a location`);
      return;
    }
  } else if (argument.kind === "string" && !/^[^.\s]+\.[^.\s]+$/.test(argument.value)) {
    report.fault(argument.at, "a location is written '<composite>.<constituent>' or as one parameter");
  }
};

/** The names of a WITH that only imports; undefined for one that computes, which is a clause like any other. */
const importsOf = (clause: Clause | undefined): "all" | readonly string[] | undefined => {
  if (clause?.kind !== "with" || clause.distinct || clause.orderBy.length > 0) return undefined;
  if (clause.skip !== undefined || clause.limit !== undefined || clause.where !== undefined) return undefined;
  if (clause.star) return clause.items.length === 0 ? "all" : undefined;
  const names = clause.items.flatMap(({ expression, alias }) =>
    expression.kind === "variable" && (alias === undefined || alias === expression.name)
      ? [expression.name]
      : [],
  );
  return names.length === clause.items.length ? names : undefined;
};

const firstAfterUse = ({ clauses }: Query): Clause | undefined =>
  clauses[0]?.kind === "use" ? clauses[1] : clauses[0];

const reportOf = (call: CallClause, around: Scope): CallReport => {
  if (call.imports !== "importing-with") return { imports: call.imports, importing: 0 };
  const imports = importsOf(firstAfterUse(call.body));
  if (imports === undefined) return { imports: [], importing: 0 };
  return { imports: imports === "all" ? [...around.own().keys()] : imports, importing: 1 };
};

/** The scope in which the body begins. */
const bodyScope = (
  call: CallClause,
  { imports, importing }: CallReport,
  around: Scope,
  { report }: Visitor,
): Scope => {
  // Without a list the body sees all that is around it.
  if (imports === "all") return around.inner();
  const imported = new Map<string, Binding>();
  for (const name of imports) {
    const binding = around.get(name);
    if (binding === undefined) report.fault(call.at, `"${name}" is not bound`);
    else imported.set(name, binding);
  }
  // A leading WITH imports names that a later WITH may drop; a list in parentheses, names that stay.
  return importing === 1
    ? new Scope(undefined, imported, new Set(imports))
    : new Scope(new Scope(undefined, imported, new Set()));
};

/** A node of one database is no node of another: only its values may cross. */
const checkRouted = (call: CallClause, start: Scope, { report }: Visitor): void => {
  if (call.body.clauses[0]?.kind !== "use") return;
  for (const node of nodesOf(call.body)) {
    if (node.kind !== "node" && node.kind !== "relationship") continue;
    if (node.variable !== undefined && start.get(node.variable) !== undefined) {
      report.fault(node.at, `"${node.variable}" comes from another location; compare external_id instead`);
    }
  }
};

/** Binds the names that the body returns; they must be new around it. */
const bindReturned = (clause: ReturnClause, returned: Scope, around: Scope, { report }: Visitor): void => {
  for (const [name, binding] of returned.own()) {
    if (around.get(name) !== undefined || around.isBoundOutside(name)) {
      report.fault(clause.at, `"${name}" is bound already`);
    } else around.bind(name, binding);
    if (report.isEndName(name)) report.callsBindEnds = true;
  }
};

/** Analyses `CALL { … }`, `CALL () { … }`, `CALL (a, b) { … }`. */
const analyseCall = (call: CallClause, around: Scope, visitor: Visitor): void => {
  const { report } = visitor;
  const found = reportOf(call, around);
  report.calls.set(call, found);
  const start = bodyScope(call, found, around, visitor);
  checkRouted(call, start, visitor);
  const routed = call.body.clauses[0]?.kind === "use" ? 1 : 0;
  const body = call.body.clauses.toSpliced(routed, found.importing);
  const last = body.at(-1);
  // Without a RETURN the text is refused already.
  if (last?.kind !== "return") return;
  const returned = visitor.inside(found.imports !== "all", () => {
    const end = visitor.clauses(body.slice(0, -1), start);
    if (last.star) {
      const returnedNames = [...end.own().keys()];
      report.stars.set(last, returnedNames);
      const imported = new Set(found.importing === 1 && found.imports !== "all" ? found.imports : []);
      if (last.items.length === 0 && returnedNames.every((name) => imported.has(name)))
        report.fault(last.at, "RETURN * returns nothing new");
    }
    return analyseProjection(last, end, visitor);
  });
  bindReturned(last, returned, around, visitor);
};

/** Names that every WITH of the text itself must keep once they are bound. */
type Required = readonly ("subject" | "resource")[];

const requireKept = (
  before: Scope,
  after: Scope,
  required: Required,
  at: number,
  report: AnalysisReport,
): void => {
  const lost = required.some((name) => before.own().has(name) && !after.own().has(name));
  if (lost) report.fault(at, "missing required variables in WITH statement");
};

const clause = (each: Clause, scope: Scope, required: Required, visitor: Visitor): Scope => {
  const { report, nesting } = visitor;
  switch (each.kind) {
    case "match":
      analysePatterns(each.patterns, scope, { optional: each.optional, binds: true, ...nesting }, visitor);
      // The statement binds them before the text, so that an OPTIONAL MATCH on them would test nothing.
      for (const name of each.optional ? required : [])
        if (scope.own().get(name)?.isOptional === true)
          report.fault(each.at, `"${name}" must be bound by a MATCH, not by an OPTIONAL MATCH`);
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
      const bound = scope.get(each.alias) !== undefined || scope.isBoundOutside(each.alias);
      if (bound || report.isEndName(each.alias)) {
        report.fault(each.at, `"${each.alias}" is bound already`);
      }
      scope.bind(each.alias, { kind, isOptional: false, isFromPattern: false });
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

const createVisitor = (report: AnalysisReport): Visitor => {
  let nesting = { depth: 0, isolatedScope: false };
  const visitor: Visitor = {
    report,
    get nesting() {
      return nesting;
    },
    expression: (expression, scope, parameterCheck) =>
      analyseExpression(expression, scope, visitor, parameterCheck),
    clauses: (list, scope) => list.reduce((at, each) => clause(each, at, [], visitor), scope),
    inside: (isolatedScope, analyseInside) => {
      const around = nesting;
      nesting = { depth: around.depth + 1, isolatedScope: around.isolatedScope || isolatedScope };
      const result = analyseInside();
      nesting = around;
      return result;
    },
    patternBody: (body, scope) =>
      visitor.inside(false, () => {
        const inner = scope.inner();
        if (body.kind === "query") {
          const end = visitor.clauses(body.clauses, inner);
          if (body.unusedReturn !== undefined) checkUnusedReturn(body.unusedReturn, end, report);
          return;
        }
        analysePatterns(body.patterns, inner, { optional: false, binds: true, ...nesting }, visitor);
        if (body.where !== undefined) visitor.expression(body.where, inner);
      }),
    pattern: (expression, scope) =>
      visitor.inside(false, () => {
        const inner = scope.inner();
        const binds = expression.kind === "pattern-comprehension";
        analysePatterns([expression.pattern], inner, { optional: false, binds, ...nesting }, visitor);
        return inner;
      }),
  };
  return visitor;
};

/**
 * Resolves every name, path and reference of a text. The text is accepted when the report has no faults.
 *
 * @param required names that must be bound by a MATCH and kept by every WITH.
 */
export const analyse = (query: Query, language: Language, required: Required): Analysis => {
  const report = new AnalysisReport(language);
  const visitor = createVisitor(report);
  const scope = query.clauses.reduce((at, each) => clause(each, at, required, visitor), new Scope());
  // What is missing at the end of a text with faults follows from them.
  for (const name of report.faults.length === 0 ? required : []) {
    const binding = scope.own().get(name);
    if (binding === undefined || binding.kind.kind !== node.kind)
      report.fault(0, `"${name}" must be bound as a node`);
  }
  return { report, bindings: scope.own() };
};

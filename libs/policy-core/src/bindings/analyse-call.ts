import type { CallClause, Clause, Query, ReturnClause } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import type { Visitor } from "./analyse-expression.ts";
import { analyseProjection } from "./analyse-projection.ts";
import type { CallReport } from "./report.ts";
import { Scope, type Binding } from "./scope.ts";

const isEnd = (name: string): boolean => name === "subject" || name === "resource";

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

/** A node that was found in one database is no node of another: only its values may cross (6.7). */
const checkRouted = (call: CallClause, start: Scope, { report }: Visitor): void => {
  if (call.body.clauses[0]?.kind !== "use") return;
  for (const node of nodesOf(call.body)) {
    if (node.kind !== "node" && node.kind !== "relationship") continue;
    if (node.variable !== undefined && start.get(node.variable) !== undefined) {
      report.fault(
        node.at,
        `"${node.variable}" was found in another location; compare its external_id instead of matching it`,
      );
    }
  }
};

/** Binds what the body hands out; the names must be new around it. */
const bindReturned = (clause: ReturnClause, returned: Scope, around: Scope, { report }: Visitor): void => {
  for (const [name, binding] of returned.own()) {
    if (around.get(name) !== undefined || around.isTaken(name)) {
      report.fault(clause.at, `"${name}" is bound already`);
    } else around.bind(name, binding);
    if (isEnd(name)) report.callsBindEnds = true;
  }
};

/** Analyses `CALL { … }`, `CALL () { … }`, `CALL (a, b) { … }` (policies specification 6.7). */
export const analyseCall = (call: CallClause, around: Scope, visitor: Visitor): void => {
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
    if (last.star) report.stars.set(last, [...end.own().keys()]);
    return analyseProjection(last, end, visitor);
  });
  bindReturned(last, returned, around, visitor);
};

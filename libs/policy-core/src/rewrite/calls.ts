import type { CallClause, ProjectionItem, ReturnClause, UseClause } from "../cypher/ast.ts";
import type { Rewriter } from "../cypher/map.ts";
import type { AnalysisReport } from "../bindings/scope.ts";
import { property, variable } from "./build.ts";
import { requestKeys } from "../values/row-keys.ts";
import { rowExpression } from "./values.ts";

/**
 * `USE graph.byName($loc)` with the name of the graph that the location means. A text names its graph itself.
 * Routed texts run for one request at a time, because USE takes no value of a row.
 */
export const rewriteUse = (use: UseClause): UseClause =>
  use.argument.kind === "parameter"
    ? // Built by `property`, which gives a property.
      {
        ...use,
        argument: property(
          rowExpression("plain"),
          requestKeys.graphs,
          use.argument.name,
        ) as UseClause["argument"],
      }
    : use;

/**
 * Every CALL as `CALL (names) { … }`, the form that all servers take: what a leading WITH imported stands in the
 * list, and what the statement itself carries into every part is imported too.
 *
 * @param carried generated names: the row of the request where the text runs in rows, the candidate of a search.
 */
export const rewriteCall = (
  call: CallClause,
  report: AnalysisReport,
  carried: readonly string[],
  inner: Rewriter,
): CallClause => {
  const found = report.calls.get(call);
  if (found === undefined) throw new Error("a CALL that was not analysed");
  const routed = call.body.clauses[0]?.kind === "use" ? 1 : 0;
  const body = { ...call.body, clauses: call.body.clauses.toSpliced(routed, found.importing) };
  const imports = found.imports === "all" ? "all" : [...found.imports, ...carried];
  return { ...call, imports, body: inner.map(body) };
};

/** `RETURN *` by name: a star would return generated names as well. */
export const rewriteReturn = (
  clause: ReturnClause,
  report: AnalysisReport,
  inner: Rewriter,
): ReturnClause => {
  const rebuilt = inner.rebuild(clause);
  const names = report.stars.get(clause);
  if (names === undefined) return rebuilt;
  const items = names.map((name): ProjectionItem => {
    return { kind: "item", expression: variable(name), at: clause.at };
  });
  return { ...rebuilt, star: false, items: [...items, ...rebuilt.items] };
};

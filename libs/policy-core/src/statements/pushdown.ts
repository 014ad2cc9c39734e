import type { Analysis } from "../bindings/report.ts";
import type { Expression } from "../cypher/ast.ts";
import type { Filter, Leaf } from "../filters/filter.ts";
import { operandExpression, type PrintPlace } from "../filters/print.ts";

const conjuncts = (filter: Filter): readonly Leaf[] =>
  filter.kind === "leaf" ? [filter] : filter.operator === "AND" ? filter.operands.flatMap(conjuncts) : [];

const bindersOf = (alias: string, analysis: Analysis): number =>
  [...analysis.report.binders.values()].filter((binder) => binder.alias === alias && binder.depth === 0)
    .length;

const isPlainlyBound = (alias: string, analysis: Analysis): boolean => {
  const binding = analysis.bindings.get(alias);
  return binding !== undefined && binding.pattern && !binding.optional && bindersOf(alias, analysis) === 1;
};

/**
 * External ids that filters demand of an alias, to be sought by key where the alias is bound (policies
 * specification 11.3). The filter itself stays at the end. Nothing is pushed across a LIMIT or SKIP, into an
 * OPTIONAL MATCH, from under OR or NOT, or for an alias that is not the same node from its binding to the end.
 */
export const pushedKeys = (
  filters: readonly Filter[],
  analysis: Analysis,
  place: PrintPlace,
): ReadonlyMap<string, Expression> => {
  const keys = new Map<string, Expression>();
  if (analysis.report.cuts) return keys;
  for (const { operator, attribute, value } of filters.flatMap(conjuncts)) {
    if (operator !== "=" || attribute.kind !== "node-path" || attribute.path.kind !== "system") continue;
    if (attribute.path.field !== "external_id" || keys.has(attribute.path.alias)) continue;
    const given =
      value?.kind === "reference" || (value?.kind === "literal" && typeof value.value === "string");
    if (given && isPlainlyBound(attribute.path.alias, analysis)) {
      keys.set(attribute.path.alias, operandExpression(value, place));
    }
  }
  return keys;
};

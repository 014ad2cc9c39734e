import { propertyField } from "@ikg/physical";
import type { Expression, MapEntry, Query } from "../cypher/ast.ts";
import { clauseIndexOf } from "../cypher/walk.ts";
import { leafConjuncts, type Filter } from "../filters/filter.ts";
import { operandExpression, type PrintContext } from "../filters/print-operand.ts";
import type { Condition } from "../policy/condition.ts";

/** Equalities of filters, moved into the patterns that bind their aliases. */
export interface FilterPushdown {
  /** External ids. */
  readonly keys: ReadonlyMap<string, Expression>;
  /** Property values, as entries of the pattern's map. */
  readonly entries: ReadonlyMap<string, readonly MapEntry[]>;
}

/** The last clause that cuts rows; -1 for none. */
const lastCut = ({ clauses }: Query): number =>
  clauses.findLastIndex(
    (clause) => clause.kind === "with" && (clause.skip !== undefined || clause.limit !== undefined),
  );

/**
 * True when an alias is the same node from the one plain MATCH that binds it to the end, and no LIMIT or SKIP lies
 * between. Every WITH between then lists the name as it is, so that it groups by it.
 */
const isPlainlyBound = (alias: string, { query, analysis }: Condition): boolean => {
  const binding = analysis.bindings.get(alias);
  if (binding === undefined || !binding.isFromPattern || binding.isOptional) return false;
  const [only, ...more] = analysis.report.bindersOf(alias);
  return only !== undefined && more.length === 0 && clauseIndexOf(only, query) > lastCut(query);
};

/**
 * Equalities of filters with a parameter, a claim or a literal, moved to where their alias is bound. The filter itself
 * stays at the end. Nothing is pushed across a LIMIT or SKIP, into an
 * OPTIONAL MATCH, from under OR or NOT, or for an alias that is not the same node from its binding to the end.
 */
export const pushDown = (
  filters: readonly Filter[],
  condition: Condition,
  context: PrintContext,
): FilterPushdown => {
  const keys = new Map<string, Expression>();
  const entries = new Map<string, MapEntry[]>();
  for (const { operator, attribute, value, compares } of filters.flatMap(leafConjuncts)) {
    if (operator !== "=" || compares !== "values" || attribute.kind !== "node-path") continue;
    if (value?.kind !== "reference" && value?.kind !== "literal") continue;
    const { path } = attribute;
    if (!isPlainlyBound(path.alias, condition)) continue;
    if (path.kind === "system" && path.field === "external_id") {
      const isText = value.kind === "reference" || typeof value.value === "string";
      if (isText && !keys.has(path.alias)) keys.set(path.alias, operandExpression(value, context));
    } else if (path.kind === "property") {
      const key = propertyField(path.name);
      const known = entries.get(path.alias) ?? [];
      if (known.some((entry) => entry.key === key)) continue;
      const pushed = operandExpression(value, context);
      entries.set(path.alias, [...known, { kind: "entry", key, value: pushed, at: pushed.at }]);
    }
  }
  return { keys, entries };
};

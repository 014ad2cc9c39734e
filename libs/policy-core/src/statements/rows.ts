import { keyPrefix, type ProjectKey, quoteName } from "@ikg/physical";
import { plainLabel } from "../bindings/kind.ts";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import { clauseIndexOf } from "../cypher/walk.ts";
import { printFilter } from "../filters/print.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { Condition } from "../policy/condition.ts";
import { rowFilters, type KnowledgeQuery } from "../query/query.ts";
import { concat, property, text } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowExpression } from "../rewrite/values.ts";
import { requestKeys } from "../values/row-keys.ts";
import { pushDown, type FilterPushdown } from "./pushdown.ts";
import { nodeByKey, printClauses } from "./statement.ts";

/** The whole key of the subject, where it is known before the text runs. */
export const subjectKey = (
  policy: CiqPolicy,
  pk: ProjectKey,
  { keys }: FilterPushdown,
): Expression | undefined => {
  if (policy.pin !== "policy") return property(rowExpression("plain"), requestKeys.subject);
  const key = keys.get("subject");
  return key === undefined ? undefined : concat(text(keyPrefix(pk, policy.subjectType)), key);
};

/**
 * True when `subject`, or another alias, can be bound before the text, which then finds the name bound wherever it uses it.
 * A WITH that comes before the text's own binding would drop the name, and a subquery that binds the name for
 * itself would mean another node.
 */
export const canBindBefore = ({ query, analysis }: Condition, name = "subject"): boolean => {
  const binders = [...analysis.report.binders].filter(([, { alias }]) => alias === name);
  const [only] = binders;
  if (only === undefined || binders.length > 1 || only[1].depth > 0) return false;
  return query.clauses
    .slice(0, clauseIndexOf(only[0], query))
    .every((clause) => clause.kind !== "with" || clause.star);
};

/** What a statement binds before the text, and what the text binds by a key that is known beforehand. */
interface Ends {
  /** Clauses before the text. */
  readonly lines: readonly string[];
  /** For `rewrite`. */
  readonly bound: ReadonlySet<string>;
  readonly pins: ReadonlyMap<string, Expression>;
}

/** The one plain label of the pattern that binds an alias: the type of its nodes. */
const labelOf = ({ analysis }: Condition, alias: string): string | undefined =>
  plainLabel(analysis.report.bindersOf(alias)[0]?.label);

/** Patterns of the other aliases whose node a filter names, where they can be bound before the text, too. */
const namedEnds = (
  { condition }: CiqPolicy,
  pk: ProjectKey,
  { keys }: FilterPushdown,
): ReadonlyMap<string, string> =>
  new Map(
    [...keys].flatMap(([alias, key]) => {
      const type = alias === "subject" ? undefined : labelOf(condition, alias);
      if (type === undefined || !canBindBefore(condition, alias)) return [];
      return [[alias, nodeByKey(alias, type, pk, concat(text(keyPrefix(pk, type)), key))]];
    }),
  );

/**
 * Where the subject of a query is bound, and other nodes that a filter names: all of them before the text, so that
 * what lies between two of them is found from both sides, past a hub that many lead to. Takes `$__row.s`.
 */
const placeEnds = (policy: CiqPolicy, pk: ProjectKey, pushed: FilterPushdown): Ends => {
  const unbound = { lines: [], bound: new Set<string>(), pins: new Map<string, Expression>() };
  const key = subjectKey(policy, pk, pushed);
  if (key === undefined) return unbound;
  if (canBindBefore(policy.condition)) {
    const ends = new Map([
      ["subject", nodeByKey("subject", policy.subjectType, pk, key)],
      ...namedEnds(policy, pk, pushed),
    ]);
    const names = [...ends.keys()].map(quoteName).join(", ");
    const lines = [...[...ends.values()].map((pattern) => `MATCH ${pattern}`), `WITH ${names} LIMIT 1`];
    return { ...unbound, lines, bound: new Set(ends.keys()) };
  }
  return policy.pin === "policy" ? unbound : { ...unbound, pins: new Map([["subject", key]]) };
};

/** The rows of a query as lines of a statement. */
export interface MatchedRows {
  readonly lines: readonly string[];
  /** Aliases that are one and the same node in every row. */
  readonly fixed: ReadonlySet<string>;
}

/**
 * The rows of a query: its pattern, pinned, and its filters. Lines of a statement
 * that takes `$__row`: `s` (key of the subject that the platform pins) and `RowValues`.
 */
export const matchedRows = (query: KnowledgeQuery, pk: ProjectKey): MatchedRows => {
  const { policy } = query;
  const context = { pk, rowSource: "plain" as const };
  const filters = rowFilters(query);
  const pushed = pushDown(filters, policy.condition, context);
  const { lines, bound, pins } = placeEnds(policy, pk, pushed);
  const types = new Map([["subject", policy.subjectType]]);
  const options = { ...context, bound, pins, types, ...pushed };
  const tree = rewrite(policy.condition.query, policy.condition.analysis.report, options);
  const predicate = filters.map((filter) => printTree(printFilter(filter, context))).join(" AND ");
  const filtered = predicate === "" ? [] : [`WITH * WHERE ${predicate}`];
  return { lines: [...lines, printClauses(tree), ...filtered], fixed: bound };
};

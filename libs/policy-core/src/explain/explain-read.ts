import type { ProjectKey } from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import { filterConjuncts, leavesOf, type Filter } from "../filters/filter.ts";
import { printFilter } from "../filters/print.ts";
import { rowFilters, type KnowledgeQuery } from "../query/query.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { pushDown } from "../statements/pushdown.ts";
import { canBindBefore, subjectKey } from "../statements/rows.ts";
import { nodeByKey, printClauses } from "../statements/statement.ts";
import { firstWithoutRow, type Answer, type StatementSequence } from "./statement-sequence.ts";
import { filterPart, type FilterPart } from "./filter-part.ts";
import { locatePart, partsOfQuery, type Part, type Prefix } from "./query-parts.ts";

type CountedPart = FilterPart & { readonly rows: number };

/** A filter with the rows that it leaves; of a branch also each leaf, with the rows that come to it and have it true. */
export type FilterRows = CountedPart & { readonly leaves?: readonly CountedPart[] };

/** How many rows a pattern has, and how many are left after each filter in turn. */
export interface RowCounts {
  readonly pattern: number;
  readonly filters: readonly FilterRows[];
}

/** Why a knowledge query answers the rows that it answers, or none. */
export type ReadExplanation =
  /** `rows` is absent where counting did not finish in its time. */
  | { readonly outcome: "matched"; readonly rows?: RowCounts }
  /** The pattern has rows, and this filter leaves none of them. */
  | {
      readonly outcome: "filter_not_satisfied";
      readonly part: FilterPart;
      readonly certain: boolean;
      readonly rows?: RowCounts;
    }
  /** The project holds no such subject. */
  | { readonly outcome: "ends_missing"; readonly ends: readonly ["subject"] }
  | { readonly outcome: "pattern_not_matched"; readonly part: Part; readonly certain: boolean }
  /** No statement finished, or the graph changed in between. */
  | { readonly outcome: "unknown" };

interface Reading {
  readonly pk: ProjectKey;
  readonly query: KnowledgeQuery;
  /** Policy first. */
  readonly filters: readonly Filter[];
  /** The clauses that bind the subject, where it can be bound beforehand. */
  readonly before: readonly string[];
  /** The key of the subject, where who it is is known beforehand. */
  readonly key: Expression | undefined;
}

const printContext = (pk: ProjectKey): { readonly pk: ProjectKey; readonly rowSource: "plain" } => ({
  pk,
  rowSource: "plain",
});

const readingOf = (query: KnowledgeQuery, pk: ProjectKey): Reading => {
  const { policy } = query;
  const filters = rowFilters(query);
  const key = subjectKey(policy, pk, pushDown(filters, policy.condition, printContext(pk)));
  const before = key !== undefined && canBindBefore(policy.condition);
  return {
    pk,
    query,
    filters: filters.flatMap(filterConjuncts),
    before: before
      ? [`MATCH ${nodeByKey("subject", policy.subjectType, pk, key)}`, "WITH subject LIMIT 1"]
      : [],
    key,
  };
};

/** Filters stay out of the pattern, since they are explained one by one; only the one that identifies the subject is in it. */
const statement = (
  { pk, query, before, key }: Reading,
  { query: tree, report }: Prefix,
  requested: readonly string[],
): string => {
  const options = {
    ...printContext(pk),
    bound: new Set(before.length === 0 ? [] : ["subject"]),
    types: new Map([["subject", query.policy.subjectType]]),
    keys: new Map(),
    ...(before.length === 0 && key !== undefined && query.policy.pin !== "policy"
      ? { pins: new Map([["subject", key]]) }
      : {}),
  };
  return [...before, printClauses(rewrite(tree, report, options)), ...requested].join("\n");
};

/** The leaves of a branch, whose rows are counted one by one; none of a filter that is a leaf itself. */
const leavesWithin = (filter: Filter): readonly Filter[] => (filter.kind === "leaf" ? [] : leavesOf(filter));

/** Counts rows by the first filter that is not true of them, and among them those for which each leaf of a branch is. */
const countsByFilter = ({ filters, pk }: Reading): readonly string[] => {
  const tests = (some: readonly Filter[]): string =>
    `[${some.map((filter) => printTree(printFilter(filter, printContext(pk)))).join(", ")}]`;
  const leaves = filters.flatMap(leavesWithin);
  const sums = leaves.map((_, index) => `, sum(CASE WHEN __leaves[${index}] THEN 1 ELSE 0 END) AS l${index}`);
  return [
    `WITH ${tests(filters)} AS __tests, ${tests(leaves)} AS __leaves`,
    "RETURN coalesce(head([__i IN range(0, size(__tests) - 1) WHERE NOT coalesce(__tests[__i], false)]), " +
      `size(__tests)) AS failed, count(*) AS rows${sums.join("")}`,
  ];
};

type Counted = readonly Readonly<Record<string, unknown>>[];

const sumOf = (counted: Counted, column: string): number =>
  counted.reduce((sum, row) => sum + Number(row[column]), 0);

const countsOf = (filters: readonly Filter[], counted: Counted): RowCounts => {
  let seen = 0;
  return {
    pattern: sumOf(counted, "rows"),
    filters: filters.map((filter, index) => {
      const coming = counted.filter(({ failed }) => Number(failed) >= index);
      const left = coming.filter(({ failed }) => Number(failed) > index);
      const leaves = leavesWithin(filter).map((leaf): CountedPart => ({
        ...filterPart(leaf),
        rows: sumOf(coming, `l${seen++}`),
      }));
      const rows = sumOf(left, "rows");
      return { ...filterPart(filter), rows, ...(leaves.length === 0 ? {} : { leaves }) };
    }),
  };
};

const hasRow = (answer: Answer): boolean => answer !== undefined && answer.length > 0;

/**
 * Explains what a knowledge query matches: the rows of its pattern, those left after each filter of the policy and
 * then of the query, and where none is left the filter, or the part of the pattern, after which that is so. Runs
 * only when an explanation is requested: at most 2 statements and the logarithm of the number of parts; the first does the
 * work of reading all rows.
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins) and `RowValues`.
 *
 * @param hasRows true when the query is known to have rows: then only they are counted.
 */
export function* explainRead(
  query: KnowledgeQuery,
  pk: ProjectKey,
  hasRows = false,
): StatementSequence<ReadExplanation> {
  const { text, query: tree, analysis } = query.policy.condition;
  const reading = readingOf(query, pk);
  const whole = { query: tree, report: analysis.report };
  const counted = yield statement(reading, whole, countsByFilter(reading));
  if (counted !== undefined && counted.length > 0) {
    const rows = countsOf(reading.filters, counted);
    const failed = rows.filters.findIndex((filter) => filter.rows === 0);
    const filter = reading.filters[failed];
    return filter === undefined
      ? { outcome: "matched", rows }
      : { outcome: "filter_not_satisfied", part: filterPart(filter), certain: true, rows };
  }
  // Not counted in time, or deleted in the meantime.
  if (hasRows) return { outcome: "matched" };
  if (reading.before.length > 0) {
    const bound = yield [...reading.before, "RETURN true AS found"].join("\n");
    if (bound?.length === 0) return { outcome: "ends_missing", ends: ["subject"] };
  }
  const parts = partsOfQuery(tree, analysis.report);
  const predicates = reading.filters.map((filter) => printTree(printFilter(filter, printContext(pk))));
  const found = ["RETURN true AS found LIMIT 1"];
  const filtered = (count: number): string =>
    statement(reading, whole, [
      `WITH * WHERE ${predicates
        .slice(0, count)
        .map((predicate) => `(${predicate})`)
        .join(" AND ")}`,
      ...found,
    ]);
  // What could not be counted in time may still have a row.
  if (counted === undefined && predicates.length > 0 && hasRow(yield filtered(predicates.length)))
    return { outcome: "matched" };
  if (counted === undefined && predicates.length === 0 && hasRow(yield statement(reading, whole, found)))
    return { outcome: "matched" };
  const texts = counted === undefined ? parts.length + predicates.length : parts.length;
  const empty = yield* firstWithoutRow(texts, (index) => {
    const part = parts[index];
    return part === undefined ? filtered(index - parts.length + 1) : statement(reading, part.prefix(), found);
  });
  if (empty === undefined) return { outcome: "unknown" };
  const certain = empty.certain && counted !== undefined;
  const filter = reading.filters[empty.index - parts.length];
  if (filter !== undefined) return { outcome: "filter_not_satisfied", part: filterPart(filter), certain };
  const part = parts[empty.index];
  if (part === undefined) return { outcome: "unknown" };
  return { outcome: "pattern_not_matched", part: locatePart(part, text), certain };
}

import type { LeafOperator, Scalar } from "../src/filters/filter.ts";
import type { Truth } from "../src/filters/truth.ts";

/** One row: what `attribute operator value` is, in memory and in the database alike. */
export interface TruthRow {
  readonly attribute: Scalar | readonly Scalar[] | null;
  readonly operator: LeafOperator;
  readonly value?: Scalar | readonly Scalar[] | null;
  readonly truth: Truth;
}

const row = (
  attribute: TruthRow["attribute"],
  operator: LeafOperator,
  value: Scalar | readonly Scalar[] | null,
  truth: Truth,
): TruthRow => ({ attribute, operator, value, truth });

/** The shared table of policies specification 4.4: the evaluator and the printed predicate must both fit it. */
export const truthTable: readonly TruthRow[] = [
  row(1, "=", 1, true),
  row(1, "=", 1.5, false),
  row(2.5, "=", 2.5, true),
  row("1", "=", 1, false),
  row(1, "=", "1", false),
  row(true, "=", true, true),
  row(true, "=", 1, false),
  row(true, "=", "true", false),
  row(null, "=", 1, null),
  row(1, "=", null, null),
  row(["a"], "=", ["a"], true),
  row(["a"], "=", ["b"], false),
  row(["a"], "=", "a", false),
  row(1, "<>", 2, true),
  row(1, "<>", "1", true),
  row(true, "<>", "true", true),
  row(null, "<>", 1, null),
  row(1, "<>", null, null),
  row(1, "<", 2, true),
  row(2, "<", 1, false),
  row(1, "<=", 1, true),
  row(2, ">", 1.5, true),
  row(2, ">=", 2, true),
  row("a", "<", "b", true),
  row("2026-01-01", "<", "2026-02-01", true),
  row("Z", "<", "a", true),
  row(1, "<", "2", null),
  row("1", "<", 2, null),
  row(true, ">", 1, null),
  row(["a"], "<", "b", null),
  row(null, "<", 1, null),
  row(1, ">=", null, null),
  row("reader", "CONTAINS", "read", true),
  row("read", "CONTAINS", "reader", false),
  row("read", "CONTAINS", "", true),
  row(["read", "write"], "CONTAINS", "read", true),
  row(["reader"], "CONTAINS", "read", false),
  row([1, 2], "CONTAINS", 2, true),
  row(5, "CONTAINS", "5", null),
  row("5", "CONTAINS", 5, null),
  row(null, "CONTAINS", "a", null),
  row("abc", "STARTS WITH", "ab", true),
  row("abc", "STARTS WITH", "b", false),
  row(5, "STARTS WITH", "5", null),
  row(null, "STARTS WITH", "5", null),
  row("abc", "ENDS WITH", "bc", true),
  row("abc", "ENDS WITH", "b", false),
  row(null, "ENDS WITH", "b", null),
  row("a", "IN", ["a", "b"], true),
  row("c", "IN", ["a", "b"], false),
  row(1, "IN", ["1", 1], true),
  row(1, "IN", ["1"], false),
  row("a", "IN", [], false),
  row(null, "IN", ["a"], null),
  row("a", "IN", null, null),
  { attribute: null, operator: "IS NULL", truth: true },
  { attribute: 1, operator: "IS NULL", truth: false },
  { attribute: "", operator: "IS NOT NULL", truth: true },
  { attribute: null, operator: "IS NOT NULL", truth: false },
];

import type { ComparisonOperator } from "../cypher/ast.ts";
import type { DerivedForm, ParameterCheck } from "../values/reference.ts";

/** Every operator of a filter leaf, in the order in which a refusal lists them. */
export const leafOperators = [
  "=",
  "<>",
  ">",
  ">=",
  "<",
  "<=",
  "CONTAINS",
  "STARTS WITH",
  "ENDS WITH",
  "=~",
  "IN",
  "IS NULL",
  "IS NOT NULL",
] as const;

export type LeafOperator = (typeof leafOperators)[number];

/** Operators that test the attribute alone. */
export type UnaryLeafOperator = "IS NULL" | "IS NOT NULL";

export interface LeafRules {
  /** Literals that it takes as its value; an operator without any takes no value. */
  readonly takes: readonly ("scalar" | "array" | "datetime")[];
  /** Which bound of the attribute its value is. Such an operator orders its sides, and booleans have no order. */
  readonly bound?: "lower" | "upper";
  /** Whether it is unknown for everything but texts. */
  readonly textsOnly?: true;
  /** Whether it is true of an absent attribute; every other operator is unknown there, or false. */
  readonly trueOfAbsent?: true;
  /** Check on the value of a `$parameter` when it is bound. */
  readonly parameterCheck: ParameterCheck;
  /** A value computed in memory and sent along (see `DerivedForm`). */
  readonly derivedForm?: DerivedForm;
  /**
   * The index that can answer the test; absent if no index can. `only`: against other values than literals the test
   * is printed as a CASE, which no index answers, because the database would also order booleans and lists.
   */
  readonly index?: { readonly kind: "RANGE" | "TEXT"; readonly only?: "literals" };
}

const anyLiteral = ["scalar", "array", "datetime"] as const;
const order = {
  takes: ["scalar", "datetime"],
  parameterCheck: "any",
  derivedForm: "order",
  index: { kind: "RANGE", only: "literals" },
} as const satisfies LeafRules;
const textTest = { takes: ["scalar"], textsOnly: true, parameterCheck: "any" } as const satisfies LeafRules;

/**
 * What each operator takes and needs. Its truth is in `evaluate.ts` and, for the database, in `print.ts`; its cost in
 * `filter-bounds.ts`.
 */
export const leafRules: Readonly<Record<LeafOperator, LeafRules>> = {
  "=": { takes: anyLiteral, parameterCheck: "any", index: { kind: "RANGE" } },
  "<>": { takes: anyLiteral, parameterCheck: "any" },
  ">": { ...order, bound: "lower" },
  ">=": { ...order, bound: "lower" },
  "<": { ...order, bound: "upper" },
  "<=": { ...order, bound: "upper" },
  CONTAINS: { takes: ["scalar"], parameterCheck: "any" },
  "STARTS WITH": { ...textTest, index: { kind: "RANGE" } },
  "ENDS WITH": { ...textTest, index: { kind: "TEXT" } },
  "=~": { ...textTest, parameterCheck: "pattern", derivedForm: "pattern" },
  IN: { takes: ["array"], parameterCheck: "array" },
  "IS NULL": { takes: [], trueOfAbsent: true, parameterCheck: "any" },
  "IS NOT NULL": { takes: [], parameterCheck: "any" },
};

/** Whether an operator orders its sides. */
export const isOrdering = (operator: LeafOperator): boolean => leafRules[operator].bound !== undefined;

/** Whether its sides may be instants, which Cypher compares by the operator of the same text. */
export const comparesInstants = (operator: LeafOperator): operator is ComparisonOperator =>
  leafRules[operator].takes.includes("datetime");

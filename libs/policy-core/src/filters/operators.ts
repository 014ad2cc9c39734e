import type { DerivedForm, Demand } from "../values/reference.ts";

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
  /** The bound that it sets to its attribute; such an operator orders its sides, and booleans have no order. */
  readonly bound?: "lower" | "upper";
  /** Whether it is unknown for everything but texts. */
  readonly textsOnly?: true;
  /** What a value that a request brings must be. */
  readonly demand: Demand;
  /** The derived form that is sent with a value, for what the database cannot compute itself. */
  readonly form?: DerivedForm;
  /** The index that can answer the test; absent where it is printed as a CASE, to be safe with values of any kind. */
  readonly index?: { readonly kind: "RANGE" | "TEXT"; readonly only?: "literals" };
}

const anyLiteral = ["scalar", "array", "datetime"] as const;
const order = {
  takes: ["scalar", "datetime"],
  demand: "any",
  form: "order",
  index: { kind: "RANGE", only: "literals" },
} as const;
const textTest = { takes: ["scalar"], textsOnly: true, demand: "any" } as const;

/**
 * What each operator takes and needs. Its truth is in `evaluate.ts` and, for the database, in `print.ts`; its cost in
 * `bounds/filters.ts`.
 */
export const leafRules: Readonly<Record<LeafOperator, LeafRules>> = {
  "=": { takes: anyLiteral, demand: "any", index: { kind: "RANGE" } },
  "<>": { takes: anyLiteral, demand: "any" },
  ">": { ...order, bound: "lower" },
  ">=": { ...order, bound: "lower" },
  "<": { ...order, bound: "upper" },
  "<=": { ...order, bound: "upper" },
  CONTAINS: { takes: ["scalar"], demand: "any" },
  "STARTS WITH": { ...textTest, index: { kind: "RANGE" } },
  "ENDS WITH": { ...textTest, index: { kind: "TEXT" } },
  "=~": { ...textTest, demand: "pattern", form: "pattern" },
  IN: { takes: ["array"], demand: "array" },
  "IS NULL": { takes: [], demand: "any" },
  "IS NOT NULL": { takes: [], demand: "any" },
};

/** Whether an operator orders its sides. */
export const isOrdering = (operator: LeafOperator): boolean => leafRules[operator].bound !== undefined;

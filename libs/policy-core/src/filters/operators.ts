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
  /** The side on which it limits its attribute; such an operator orders its sides, and booleans have no order. */
  readonly limits?: "below" | "above";
  /** Whether it is unknown for everything but texts. */
  readonly textsOnly?: true;
  /** Whether it is true of an absent attribute; every other operator is unknown there, or false. */
  readonly trueOfAbsent?: true;
  /** Check on a `$parameter` value when it is bound. */
  readonly demand: Demand;
  /** The derived form that is sent with a value, for what the database cannot compute itself. */
  readonly derivedForm?: DerivedForm;
  /** The index that can answer the test; absent where it is printed as a CASE, to be safe with values of any kind. */
  readonly index?: { readonly kind: "RANGE" | "TEXT"; readonly only?: "literals" };
}

const anyLiteral = ["scalar", "array", "datetime"] as const;
const order = {
  takes: ["scalar", "datetime"],
  demand: "any",
  derivedForm: "order",
  index: { kind: "RANGE", only: "literals" },
} as const satisfies LeafRules;
const textTest = { takes: ["scalar"], textsOnly: true, demand: "any" } as const satisfies LeafRules;

/**
 * What each operator takes and needs. Its truth is in `evaluate.ts` and, for the database, in `print.ts`; its cost in
 * `filter-bounds.ts`.
 */
export const leafRules: Readonly<Record<LeafOperator, LeafRules>> = {
  "=": { takes: anyLiteral, demand: "any", index: { kind: "RANGE" } },
  "<>": { takes: anyLiteral, demand: "any" },
  ">": { ...order, limits: "below" },
  ">=": { ...order, limits: "below" },
  "<": { ...order, limits: "above" },
  "<=": { ...order, limits: "above" },
  CONTAINS: { takes: ["scalar"], demand: "any" },
  "STARTS WITH": { ...textTest, index: { kind: "RANGE" } },
  "ENDS WITH": { ...textTest, index: { kind: "TEXT" } },
  "=~": { ...textTest, demand: "pattern", derivedForm: "pattern" },
  IN: { takes: ["array"], demand: "array" },
  "IS NULL": { takes: [], trueOfAbsent: true, demand: "any" },
  "IS NOT NULL": { takes: [], demand: "any" },
};

/** Whether an operator orders its sides. */
export const isOrdering = (operator: LeafOperator): boolean => leafRules[operator].limits !== undefined;

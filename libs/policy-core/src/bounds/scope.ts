import type { AnalysisReport } from "../bindings/scope.ts";
import type { Expression } from "../cypher/ast.ts";
import type { CallSizes } from "../values/call-sizes.ts";
import type { Cost } from "./cost.ts";
import type { BudgetFault } from "./excess.ts";
import type { Size } from "./size.ts";

/** What a name is bound to, and in which loop; 0 is outside of every loop. */
interface Bound {
  readonly size: Size;
  readonly loop: number;
}

/** Sizes of the names that an expression may use. */
export type Sizes = ReadonlyMap<string, Bound>;

export const boundOf = (size: Size, loop = 0): Bound => ({ size, loop });

export type Subquery = Extract<Expression, { kind: "exists" | "count" | "pattern-predicate" }>;
export type PatternComprehension = Extract<Expression, { kind: "pattern-comprehension" }>;

/** One walk over a text under one assumption about the sizes of the request's values. */
export interface Walk {
  readonly report: Pick<AnalysisReport, "references" | "paths">;
  readonly call: CallSizes;
  /** The loop that is being walked; each has a number of its own. */
  loop: number;
  /** How many loops there have been. */
  loops: number;
  /** How many `reduce` are being walked. */
  reduces: number;
  /** Bounds an expression by its parts. */
  cost(node: Expression, sizes: Sizes): Cost;
  /** Bounds an expression of a clause. */
  whole(node: Expression, sizes: Sizes): Cost;
  /** Notes why the text is refused. */
  exceeds(at: number, fault: BudgetFault): void;
  /** Walks with assumed sizes, which do not occur: what exceeds the budget there is not reported. */
  ignoreExcesses<T>(walk: () => T): T;
  /** Bounds the expressions in a pattern or subquery. */
  subquery(node: Subquery, sizes: Sizes): void;
  comprehension(node: PatternComprehension, sizes: Sizes): Cost;
}

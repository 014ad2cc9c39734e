import type { Analysis } from "../bindings/scope.ts";
import type { Query } from "../cypher/ast.ts";
import type { CallSizes } from "../values/call-sizes.ts";
import { type Budget, callSizes } from "./budget.ts";
import { clausesSizes, patternWalk } from "./clauses.ts";
import { stepsExcess } from "./excess.ts";
import type { Size } from "./size.ts";
import { type Excess, TextWalk } from "./walk.ts";

/** What a text may need. */
export interface Bounds {
  /** Why it is refused; none when it keeps within the budget. */
  readonly excesses: readonly Excess[];
  /** How large the values of a request may be so that it does; undefined where any that a request can hold will do. */
  readonly call: CallSizes | undefined;
  /** Bounds of what the names hold after the last clause. */
  readonly names: ReadonlyMap<string, Size>;
}

const walked = (
  { clauses }: Query,
  { report }: Pick<Analysis, "report">,
  budget: Budget,
  call: CallSizes,
): { excesses: readonly Excess[]; names: ReadonlyMap<string, Size> } => {
  const walk = new TextWalk(report, budget, call, patternWalk);
  const names = clausesSizes(clauses, new Map(), walk);
  if (walk.excesses.length === 0 && walk.steps > budget.steps)
    walk.exceeds(walk.mostExpensive, stepsExcess(walk.steps, budget));
  return { excesses: walk.excesses, names: new Map([...names].map(([name, { size }]) => [name, size])) };
};

/**
 * Bounds what the expressions of a checked text may need for one row, whatever the graph holds. Values of the request are
 * first taken to be as large as a request can hold them; where that is too much, smaller ones are tried, which are then
 * measured when the text is used.
 */
export const boundsOf = (query: Query, analysis: Pick<Analysis, "report">, budget: Budget): Bounds => {
  let bounds: Bounds = { excesses: [], call: undefined, names: new Map() };
  for (const [index, call] of callSizes.entries()) {
    bounds = { ...walked(query, analysis, budget, call), call: index === 0 ? undefined : call };
    if (bounds.excesses.length === 0) return bounds;
  }
  return bounds;
};

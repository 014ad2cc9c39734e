import type { Budget } from "./budget.ts";
import type { Cost } from "./cost.ts";

/** A number of a refusal: exact up to a million million, then only that it is more. */
const shown = (value: number): string =>
  value >= 1e12 ? "more than 1000000000000" : String(Math.ceil(value));

const megabytes = (bytes: number): string => shown(bytes / (1024 * 1024));

/** Names of the settings that raise the budget. */
const budgetSettings = { memoryBytes: "EXPRESSION_MEMORY_BYTES", steps: "EXPRESSION_STEPS" } as const;

/** How an expression exceeds the budget. */
export interface BudgetFault {
  readonly fault: string;
}

export const stepsExcess = (steps: number, budget: Budget): BudgetFault => ({
  fault: `may take ${shown(steps)} steps for one row, at most ${budget.steps} (${budgetSettings.steps}); compare in a MATCH or in COUNT { } instead of nested list loops`,
});

/** Undefined where the expression keeps within the budget. */
export const excessOf = (cost: Cost, budget: Budget): BudgetFault | undefined => {
  if (cost.peak.most > budget.memoryBytes)
    return {
      fault: `may need ${megabytes(cost.peak.most)} MiB for one row, at most ${megabytes(budget.memoryBytes)} (${budgetSettings.memoryBytes}); shorten strings and lists, and transform strings before collecting them`,
    };
  const steps = cost.steps.most + cost.once;
  return steps > budget.steps ? stepsExcess(steps, budget) : undefined;
};

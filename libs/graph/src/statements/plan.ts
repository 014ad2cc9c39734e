import type { Plan, ProfiledPlan } from "neo4j-driver";

/** An operator of a plan, from the result down. */
export interface PlanOperator {
  readonly operator: string;
  /** What it works on, in the words of the database; names of the statement, never values of parameters. */
  readonly details?: string;
  readonly estimatedRows: number;
  /** Only of a statement that ran. */
  readonly rows?: number;
  readonly hits?: number;
  readonly children: readonly PlanOperator[];
}

const isProfiled = (plan: Plan | ProfiledPlan): plan is ProfiledPlan => "dbHits" in plan;

/** A plan as the driver has it. */
export const planOperator = (plan: Plan | ProfiledPlan): PlanOperator => {
  const { operatorType, arguments: args, children } = plan;
  const { Details: details, EstimatedRows: estimated } = args;
  return {
    operator: operatorType.replace(/@.*$/, ""),
    ...(typeof details === "string" && details !== "" ? { details } : {}),
    estimatedRows: typeof estimated === "number" ? Math.round(estimated) : 0,
    ...(isProfiled(plan) ? { rows: plan.rows, hits: plan.dbHits } : {}),
    children: children.map(planOperator),
  };
};

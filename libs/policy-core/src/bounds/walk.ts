import type { Expression } from "../cypher/ast.ts";
import type { CallSizes } from "../values/call-sizes.ts";
import type { Budget } from "./budget.ts";
import type { Cost } from "./cost.ts";
import { expressionCost } from "./expression.ts";
import { excessOf, type BudgetFault } from "./excess.ts";
import type { PatternComprehension, Sizes, Subquery, Walk } from "./scope.ts";

/** Why a text is refused, and where. */
export interface Excess extends BudgetFault {
  readonly at: number;
}

/** What walks the clauses and patterns in an expression. */
export interface PatternWalk {
  subquery(node: Subquery, sizes: Sizes, walk: Walk): void;
  comprehension(node: PatternComprehension, sizes: Sizes, walk: Walk): Cost;
}

/** Bounds the expressions of one text and sums up their steps. */
export class TextWalk implements Walk {
  readonly report: Walk["report"];
  readonly budget: Budget;
  readonly call: CallSizes;
  readonly excesses: Excess[] = [];
  loop = 0;
  loops = 0;
  reduces = 0;
  /** Steps of all expressions of the text. */
  steps = 0;
  readonly #patterns: PatternWalk;
  #most = { at: 0, steps: 0 };
  #quiet = 0;

  constructor(report: Walk["report"], budget: Budget, call: CallSizes, patterns: PatternWalk) {
    this.report = report;
    this.budget = budget;
    this.call = call;
    this.#patterns = patterns;
  }

  /** The innermost expression that exceeds the budget is refused. */
  cost(node: Expression, sizes: Sizes): Cost {
    const cost = expressionCost(node, sizes, this);
    const refused = excessOf(cost, this.budget);
    if (refused !== undefined) this.exceeds(node.at, refused);
    return cost;
  }

  /** The expressions of all clauses together make the steps for one row. */
  whole(node: Expression, sizes: Sizes): Cost {
    const around = this.loop;
    this.loop = 0;
    const cost = this.cost(node, sizes);
    this.loop = around;
    const steps = cost.steps.most + cost.once;
    if (this.#quiet === 0) {
      this.steps += steps;
      if (steps > this.#most.steps) this.#most = { at: node.at, steps };
    }
    return cost;
  }

  /** The offset of the expression with the most steps. */
  get mostExpensive(): number {
    return this.#most.at;
  }

  /** One reason is enough: what is around it exceeds the budget as well. */
  exceeds(at: number, fault: BudgetFault): void {
    if (this.#quiet === 0 && this.excesses.length === 0) this.excesses.push({ at, ...fault });
  }

  ignoreExcesses<T>(walk: () => T): T {
    this.#quiet += 1;
    const result = walk();
    this.#quiet -= 1;
    return result;
  }

  subquery(node: Subquery, sizes: Sizes): void {
    this.#patterns.subquery(node, sizes, this);
  }

  comprehension(node: PatternComprehension, sizes: Sizes): Cost {
    return this.#patterns.comprehension(node, sizes, this);
  }
}

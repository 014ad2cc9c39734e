import type { Result } from "neo4j-driver";
import { type EndPlanning, type FirstPlans, type PlanKey, planKey } from "./first-plans.ts";
import type { SentOptions } from "./read.ts";
import type { Params } from "../types.ts";

/**
 * The first statement of a transaction: it waits while an equal one is planned, and the others follow it. They do not wait themselves,
 * since the transaction holds locks by then.
 */
export class FirstStatement {
  readonly #firstPlans: FirstPlans;
  readonly #options: SentOptions;
  #isKnown = false;
  #turn: Promise<void> | undefined;
  #endPlanning: EndPlanning | undefined;
  #isClosed = false;

  constructor(firstPlans: FirstPlans, options: SentOptions) {
    this.#firstPlans = firstPlans;
    this.#options = options;
  }

  /** @returns what a statement waits for before it is sent; undefined where it may be sent at once. */
  turn(text: string, params: Params): Promise<void> | undefined {
    if (!this.#isKnown) {
      this.#isKnown = true;
      const key = planKey(text, params);
      if (!this.#firstPlans.isPlanned(key)) this.#turn = this.#wait(key);
    }
    return this.#turn;
  }

  /** A statement was sent. */
  sent(answer: Result): void {
    const endPlanning = this.#endPlanning;
    if (endPlanning === undefined) return;
    void answer.keys().then(
      () => endPlanning("planned"),
      () => endPlanning("failed"),
    );
  }

  /** The transaction has ended. */
  close(): void {
    this.#isClosed = true;
    this.#endPlanning?.("failed");
  }

  async #wait(key: PlanKey): Promise<void> {
    this.#endPlanning = await this.#firstPlans.turn(key, this.#options);
    if (this.#isClosed) this.#endPlanning?.("failed");
  }
}

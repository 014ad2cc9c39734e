import type { Result } from "neo4j-driver";
import { type EndPlanning, type FirstPlans, planKey } from "./first-plans.ts";
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

  /**
   * @returns what a statement waits for before it is sent; undefined where it may be sent at once.
   * @throws the reason of the signal.
   */
  turn(text: string, params: Params): Promise<void> | undefined {
    if (!this.#isKnown) {
      this.#isKnown = true;
      const turn = this.#firstPlans.turn(planKey(text, params), this.#options);
      if (turn instanceof Promise) this.#turn = this.#wait(turn);
      else this.#endPlanning = turn;
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

  async #wait(turn: Promise<EndPlanning | undefined>): Promise<void> {
    this.#endPlanning = await turn;
    if (this.#isClosed) this.#endPlanning?.("failed");
  }
}

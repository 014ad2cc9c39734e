import { rankOf, type Ranked } from "./rank.ts";

/** Database milliseconds that each gets per round. */
const quantumMs = 20;
/** Limit of the debt and of the credit, in milliseconds: the limit of a query. */
const maxCreditMs = 30_000;

/** A project, or an organization with its projects, that waits for its turn. */
export interface Contender<S extends Ranked> {
  /** Milliseconds of database time that it may use before the next one is served; negative after it used more. */
  credit: number;
  /** Its statement to start next, if it may be started. */
  next(now: number, mayStart: (statement: S) => boolean): S | undefined;
}

/** Uses up credit; a negative time gives credit back that was taken for a longer statement. */
export const charge = (contender: { credit: number }, ms: number): void => {
  contender.credit = Math.max(-maxCreditMs, Math.min(maxCreditMs, contender.credit - ms));
};

/**
 * Deficit round robin by database time: each contender has a credit, which its statements use up and each round raises. Of
 * those with credit the one with the first class is served, so one that floods one class uses up its credit and
 * then waits for the others.
 */
export class RoundRobin<S extends Ranked, C extends Contender<S>> {
  /** Those with waiting statements, the one whose turn it is first. */
  readonly #ring = new Set<C>();

  get size(): number {
    return this.#ring.size;
  }

  /** Adds one with its first waiting statement: its credit is at most that of a round, and at least the lowest of the others. */
  add(contender: C): void {
    if (this.#ring.has(contender)) return;
    let least = Infinity;
    for (const { credit } of this.#ring) least = Math.min(least, credit);
    contender.credit = this.#ring.size === 0 ? 0 : Math.min(quantumMs, Math.max(contender.credit, least));
    this.#ring.add(contender);
  }

  remove(contender: C): void {
    this.#ring.delete(contender);
  }

  /** The statement to start next, or undefined when none may be started now. */
  next(now: number, mayStart: (statement: S) => boolean): S | undefined {
    const heads: { readonly contender: C; readonly statement: S }[] = [];
    for (const contender of this.#ring) {
      const statement = contender.next(now, mayStart);
      if (statement !== undefined) heads.push({ contender, statement });
    }
    const most = Math.max(...heads.map(({ contender }) => contender.credit));
    if (heads.length > 0 && most <= 0) this.#raise(Math.floor(-most / quantumMs) + 1);
    let best: S | undefined;
    for (const { contender, statement } of heads) {
      if (contender.credit <= 0) continue;
      if (best === undefined || rankOf(statement, now) < rankOf(best, now)) best = statement;
    }
    return best;
  }

  /** Moves one whose statement is started to the end of the ring: among equals the others come first. */
  rotate(contender: C): void {
    if (this.#ring.delete(contender)) this.#ring.add(contender);
  }

  [Symbol.iterator](): IterableIterator<C> {
    return this.#ring.values();
  }

  /** Each one that waits gets its quantum, whether it may start something now or not. */
  #raise(rounds: number): void {
    for (const each of this.#ring) each.credit = Math.min(maxCreditMs, each.credit + rounds * quantumMs);
  }
}

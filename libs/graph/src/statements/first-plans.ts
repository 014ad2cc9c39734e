import { setTimeout as wait } from "node:timers/promises";
import { untilAborted, withTimeout } from "@ikg/concurrency";
import { LRUCache } from "lru-cache";
import { StatementTimeout } from "../errors.ts";
import type { SentOptions } from "./read.ts";
import type { Params } from "../types.ts";

const maxTexts = 2_000;
/** For how long look-ups are planned alone on a server that was lost: it may have just been started. Milliseconds. */
const lookupsAloneMs = 6_000;

/** Orders of magnitude: 0, 1, up to 10, up to 100. */
const magnitudeOf = (length: number): number => (length < 2 ? length : 1 + Math.ceil(Math.log10(length)));

/** What the server keeps one plan for: a text, with the orders of magnitude of the lists and strings among its parameters. */
export interface PlanKey {
  readonly text: string;
  readonly sizes: number;
}

/** @param params in the same order for each statement of the text. */
export const planKey = (text: string, params: Params): PlanKey => {
  let sizes = 0;
  for (const value of Object.values(params))
    if (typeof value === "string" || Array.isArray(value)) sizes = sizes * 16 + magnitudeOf(value.length) + 1;
  return { text, sizes };
};

const nameOf = ({ text, sizes }: PlanKey): string => `${sizes} ${text}`;

type Limits = Pick<SentOptions, "timeoutMs" | "signal" | "mayWait">;

/** Called when the server has planned a statement, or the statement has ended. */
export type EndPlanning = (outcome: "planned" | "failed") => void;

/**
 * What the server has planned, by `planKey`. Neo4j plans equal statements that come together each on its own, and in a server that was just
 * started one plan costs seconds of processor time. So the first of equal statements goes alone, and the others follow when it is
 * planned. Those that may wait are planned one at a time.
 */
export class FirstPlans {
  /** Sizes by text. A text is hashed once; a key concatenated from text and sizes would be hashed for every statement. */
  readonly #planned = new LRUCache<string, Set<number>>({ max: maxTexts });
  readonly #planning = new Map<string, Promise<void>>();
  readonly #lookupsAloneMs: number;
  /** What a statement that may wait waits for. */
  #ahead: Promise<void> | undefined;
  /** No statement was sent since the server was lost. */
  #isNew = false;

  constructor(aloneMs = lookupsAloneMs) {
    this.#lookupsAloneMs = aloneMs;
  }

  /** The server was lost, and what answers next may have planned nothing. */
  clear(): void {
    this.#planned.clear();
    this.#isNew = true;
  }

  isPlanned({ text, sizes }: PlanKey): boolean {
    return this.#planned.get(text)?.has(sizes) === true;
  }

  /**
   * Waits while an equal statement is the first one; without a promise where there is none.
   *
   * @returns undefined when the server has planned it. Otherwise the statement is the first one, and equal ones wait until the function
   *   is called.
   * @throws StatementTimeout, or the reason of the signal.
   */
  turn(key: PlanKey, limits: Limits): EndPlanning | undefined | Promise<EndPlanning | undefined> {
    if (this.#isNew) this.#holdBack();
    if (this.isPlanned(key)) return undefined;
    const { signal, mayWait = false } = limits;
    signal?.throwIfAborted();
    const ahead = this.#aheadOf(key, mayWait);
    return ahead === undefined ? this.#begin(key, mayWait) : this.#waitFor(ahead, key, limits);
  }

  async #waitFor(
    first: Promise<void>,
    key: PlanKey,
    { timeoutMs, signal, mayWait = false }: Limits,
  ): Promise<EndPlanning | undefined> {
    const deadline = performance.now() + timeoutMs;
    for (
      let ahead: Promise<void> | undefined = first;
      ahead !== undefined;
      ahead = this.#aheadOf(key, mayWait)
    ) {
      await withTimeout(
        untilAborted(ahead, signal, () => signal?.reason),
        deadline - performance.now(),
        () => new StatementTimeout(timeoutMs),
      );
      if (this.isPlanned(key)) return undefined;
    }
    return this.#begin(key, mayWait);
  }

  #aheadOf(key: PlanKey, mayWait: boolean): Promise<void> | undefined {
    return this.#planning.get(nameOf(key)) ?? (mayWait ? this.#ahead : undefined);
  }

  #begin(key: PlanKey, mayWait: boolean): EndPlanning {
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = nameOf(key);
    this.#planning.set(name, promise);
    if (mayWait) this.#setAhead(promise);
    let hasEnded = false;
    return (outcome) => {
      if (hasEnded) return;
      hasEnded = true;
      if (outcome === "planned") this.#add(key);
      this.#planning.delete(name);
      resolve();
    };
  }

  #add({ text, sizes }: PlanKey): void {
    const planned = this.#planned.get(text) ?? new Set();
    this.#planned.set(text, planned.add(sizes));
  }

  #holdBack(): void {
    this.#isNew = false;
    this.#setAhead(wait(this.#lookupsAloneMs, undefined, { ref: false }));
  }

  #setAhead(ahead: Promise<void>): void {
    this.#ahead = ahead;
    void ahead.then(() => {
      if (this.#ahead === ahead) this.#ahead = undefined;
    });
  }
}

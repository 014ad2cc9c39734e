import type { StatementOptions } from "@ikg/graph";

/**
 * Database hits of the pages of a question, estimated. The database counts hits only of a statement that it profiles, which it
 * plans anew and runs more slowly: one page is profiled, and stands for the others.
 */
export class DatabaseHits {
  #hits = 0;
  #subjects = 0;

  /** Options for the statements of a page that may be profiled: all of them until one page is done. */
  options(options: StatementOptions): StatementOptions {
    if (this.#subjects > 0) return options;
    this.#hits = 0;
    return { ...options, onWork: (hits) => void (this.#hits += hits) };
  }

  /** The page that `options` were for has been examined. */
  examined(subjects: number): void {
    if (this.#subjects === 0) this.#subjects = subjects;
  }

  /** @returns undefined as long as no page was profiled. */
  estimate(subjects: number): number | undefined {
    return this.#subjects === 0 ? undefined : Math.round((this.#hits / this.#subjects) * subjects);
  }
}

import type { StatementOptions } from "@ikg/graph";

/** The first page tells something early; by the second of these it is settled how pairs are counted. */
const profiledPages: ReadonlySet<number> = new Set([0, 7]);

/**
 * Database hits of the pages of a question, estimated. The database counts hits only of a statement that it profiles, which it
 * plans again and runs more slowly: single pages are profiled, and the last of these stands for the others.
 */
export class DatabaseHits {
  #pages = 0;
  #counted = 0;
  #hits = 0;
  #subjects = 0;

  /** Options for the statements of the next page, which may be profiled. */
  options(options: StatementOptions): StatementOptions {
    this.#counted = 0;
    if (!profiledPages.has(this.#pages)) return options;
    return { ...options, onWork: (hits) => void (this.#counted += hits) };
  }

  /** The page that `options` were for has been examined. */
  examined(subjects: number): void {
    if (profiledPages.has(this.#pages)) {
      this.#hits = this.#counted;
      this.#subjects = subjects;
    }
    this.#pages += 1;
  }

  /** @returns undefined as long as no page was profiled. */
  estimate(subjects: number): number | undefined {
    return this.#subjects === 0 ? undefined : Math.round((this.#hits / this.#subjects) * subjects);
  }
}

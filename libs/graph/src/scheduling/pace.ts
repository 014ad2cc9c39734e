/** What long statements of a project may take at once beyond its rate: one now and then waits for nothing. Milliseconds. */
const burstMs = 200;
/** How long a statement of a minute holds up the next one at most: less than a statement may wait in a queue. Milliseconds. */
export const mostRestMs = 4_000;

/**
 * Keeps the long statements of one project to a share of the processors while others ask. A statement is never interrupted, so
 * what stands between two of them is all the time that others have on its processor.
 */
export class Pace {
  #owedMs = 0;
  #at = -Infinity;
  readonly #processors: number;

  /** @param processors that the statements may keep busy on average */
  constructor(processors: number) {
    this.#processors = processors;
  }

  mayStart(now: number): boolean {
    return this.restMs(now) <= 0;
  }

  /** Milliseconds until a statement may start; 0 or less: now. */
  restMs(now: number): number {
    return (this.#owed(now) - burstMs) / this.#processors;
  }

  /** Counts a statement with what it is expected to take, and once more with the difference when it has ended. */
  charge(ms: number, now: number): void {
    this.#owedMs = Math.min(burstMs + mostRestMs * this.#processors, Math.max(0, this.#owed(now) + ms));
    this.#at = now;
  }

  #owed(now: number): number {
    return Math.max(0, this.#owedMs - (now - this.#at) * this.#processors);
  }
}

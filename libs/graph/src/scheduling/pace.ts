/** Burst that long statements of a project may take beyond its rate, so that an occasional one does not wait. Milliseconds. */
const burstMs = 200;
/** Limit of the delay after a long statement; shorter than a statement may wait in a queue. Milliseconds. */
export const maxRestMs = 4_000;

/**
 * Keeps the long statements of one project to a share of the processors while other projects are active. A statement is never interrupted, so
 * other projects get its processor only between two of them.
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

  /** Charges a statement with its expected time, and with the difference when it has ended. */
  charge(ms: number, now: number): void {
    this.#owedMs = Math.min(burstMs + maxRestMs * this.#processors, Math.max(0, this.#owed(now) + ms));
    this.#at = now;
  }

  #owed(now: number): number {
    return Math.max(0, this.#owedMs - (now - this.#at) * this.#processors);
  }
}

/** A debt is forgiven beyond what so many seconds pay off, so that no caller waits for longer. */
const longestDebtSeconds = 30;

/**
 * So much of something in a second, and what one second gives at once. What is taken need not be known before: it may leave a
 * debt, which has to be paid off first. Times are milliseconds of any one clock.
 */
export class TokenBucket {
  #perSecond: number;
  #level: number;
  #at: number;

  /** @param perSecond Infinity for no limit */
  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#level = perSecond;
    this.#at = now;
  }

  /** Another amount from now on. */
  allow(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    this.#level = Math.min(perSecond, this.#perSecond === Infinity ? perSecond : this.#levelAt(now));
    this.#perSecond = perSecond;
    this.#at = now;
  }

  /** Milliseconds until something may be taken; 0: now. */
  waitMs(now: number): number {
    if (this.#perSecond === Infinity) return 0;
    const level = this.#levelAt(now);
    return level > 0 ? 0 : Math.floor((-level / this.#perSecond) * 1_000) + 1;
  }

  /** Takes an amount, of whatever is there; a negative one gives back. */
  take(amount: number, now: number): void {
    if (this.#perSecond === Infinity) return;
    const least = -longestDebtSeconds * this.#perSecond;
    this.#level = Math.max(least, Math.min(this.#perSecond, this.#levelAt(now) - amount));
    this.#at = now;
  }

  #levelAt(now: number): number {
    return Math.min(this.#perSecond, this.#level + ((now - this.#at) / 1_000) * this.#perSecond);
  }
}

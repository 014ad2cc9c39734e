/** Caps the debt at this many seconds of refill, so that no caller waits longer. */
const maxDebtSeconds = 30;

/**
 * A token bucket that holds one second's worth of tokens. A cost known only afterwards may take the level below zero; the debt is
 * refilled first. Times are milliseconds of a single clock.
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

  /** Changes the refill rate. */
  setRate(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    this.#level = Math.min(perSecond, this.#perSecond === Infinity ? perSecond : this.#levelAt(now));
    this.#perSecond = perSecond;
    this.#at = now;
  }

  /** Milliseconds until tokens are available; 0: now. */
  waitMs(now: number): number {
    if (this.#perSecond === Infinity) return 0;
    const level = this.#levelAt(now);
    return level > 0 ? 0 : Math.floor((-level / this.#perSecond) * 1_000) + 1;
  }

  /** Takes tokens regardless of the level; a negative amount returns them. */
  take(amount: number, now: number): void {
    if (this.#perSecond === Infinity) return;
    const minLevel = -maxDebtSeconds * this.#perSecond;
    this.#level = Math.max(minLevel, Math.min(this.#perSecond, this.#levelAt(now) - amount));
    this.#at = now;
  }

  #levelAt(now: number): number {
    return Math.min(this.#perSecond, this.#level + ((now - this.#at) / 1_000) * this.#perSecond);
  }
}

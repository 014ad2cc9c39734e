/** Caps the debt at this many seconds of refill, so that no caller waits longer. */
const maxDebtSeconds = 30;
/** Milliseconds in which a bucket with the highest debt is full. */
export const maxRefillMs = (1 + maxDebtSeconds) * 1_000;

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

  get isLimited(): boolean {
    return this.#perSecond !== Infinity;
  }

  /** Changes the refill rate. */
  setRate(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    const level = this.isLimited ? this.#levelAt(now) : perSecond;
    this.#perSecond = perSecond;
    this.#setLevel(level, now);
  }

  /** Milliseconds until tokens are available; 0: now. */
  waitMs(now: number): number {
    if (!this.isLimited) return 0;
    const level = this.#levelAt(now);
    return level > 0 ? 0 : Math.floor((-level / this.#perSecond) * 1_000) + 1;
  }

  /** Takes tokens regardless of the level; a negative amount returns them. */
  take(amount: number, now: number): void {
    if (this.isLimited) this.#setLevel(this.#levelAt(now) - amount, now);
  }

  /** Milliseconds in which an amount is refilled. */
  refillMs(amount: number): number {
    return (amount / this.#perSecond) * 1_000;
  }

  /** Milliseconds until the bucket is full. */
  fullInMs(now: number): number {
    return this.isLimited ? this.refillMs(this.#perSecond - this.#levelAt(now)) : 0;
  }

  /** Sets the level to that of a bucket that is full in `ms` milliseconds. */
  setFullIn(ms: number, now: number): void {
    if (this.isLimited) this.#setLevel(this.#perSecond * (1 - ms / 1_000), now);
  }

  #setLevel(level: number, now: number): void {
    this.#level = Math.max(-maxDebtSeconds * this.#perSecond, Math.min(this.#perSecond, level));
    this.#at = now;
  }

  #levelAt(now: number): number {
    return Math.min(this.#perSecond, this.#level + ((now - this.#at) / 1_000) * this.#perSecond);
  }
}

import type { TokenBucket } from "./token-bucket.ts";

/** What one process took from one bucket since its last exchange. */
export interface BucketUse {
  readonly id: string;
  /** Milliseconds in which the bucket refills it; negative if more was returned than taken, 0 for refusals alone. */
  readonly refillMs: number;
  /** Milliseconds since the first use. */
  readonly ageMs: number;
}

/** Buckets that all processes share. */
export interface BucketStore {
  /**
   * Takes from each bucket what a process used.
   *
   * @returns milliseconds until each bucket is full, in the order of `uses`; undefined while the store is unavailable. It does
   *   not reject.
   */
  exchange(uses: readonly BucketUse[]): Promise<readonly number[] | undefined>;
}

/**
 * A rate limit that all processes enforce together. Each decides by buckets of its own, without a round trip; their levels
 * follow those of the shared buckets.
 */
export interface SharedRate {
  /**
   * Reports a use of a bucket: its level is that of the shared bucket a moment later, or its own count while the store is
   * unavailable.
   *
   * @param amount already taken from the bucket: negative for a return, 0 for a refusal.
   */
  report(id: string, bucket: TokenBucket, amount: number): void;
}

/** Time as the buckets see it, in milliseconds. */
export interface RateClock {
  now(): number;
  after(ms: number, action: () => void): unknown;
}

const systemClock: RateClock = {
  now: () => performance.now(),
  after: (ms, action) => setTimeout(action, ms).unref(),
};

/** For how long a process collects uses for one exchange. Milliseconds. */
const collectMs = 100;
/** Buckets of one exchange. Uses of further ones count in this process alone. */
const maxBuckets = 2_000;

interface Use {
  bucket: TokenBucket;
  /** At the rate of the time of each use, so that a limit that is lowered is not charged with what a higher one allowed. */
  refillMs: number;
  readonly since: number;
}

class ExchangedRate implements SharedRate {
  readonly #store: BucketStore;
  readonly #clock: RateClock;
  readonly #uses = new Map<string, Use>();
  /** From the first use until the answer of the store: at most one exchange is in flight. */
  #isScheduled = false;

  constructor(store: BucketStore, clock: RateClock) {
    this.#store = store;
    this.#clock = clock;
  }

  report(id: string, bucket: TokenBucket, amount: number): void {
    if (!bucket.isLimited) return;
    const refillMs = bucket.refillMs(amount);
    const use = this.#uses.get(id);
    if (use !== undefined) {
      use.bucket = bucket;
      use.refillMs += refillMs;
    } else if (this.#uses.size < maxBuckets) {
      this.#uses.set(id, { bucket, refillMs, since: this.#clock.now() });
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.after(collectMs, () => void this.#exchange());
  }

  async #exchange(): Promise<void> {
    const sent = [...this.#uses];
    this.#uses.clear();
    const sentAt = this.#clock.now();
    const uses = sent.map(([id, { refillMs, since }]) => ({ id, refillMs, ageMs: sentAt - since }));
    const answer = await this.#store.exchange(uses);
    const now = this.#clock.now();
    for (const [at, [id, { bucket }]] of sent.entries()) {
      const fullInMs = answer?.[at];
      // The store does not know yet what was used since.
      if (fullInMs !== undefined) bucket.setFullIn(fullInMs + (this.#uses.get(id)?.refillMs ?? 0), now);
    }
    this.#isScheduled = false;
    if (this.#uses.size > 0) this.#schedule();
  }
}

/** @param clock the one by whose times the buckets are used */
export const openSharedRate = (store: BucketStore, clock: RateClock = systemClock): SharedRate =>
  new ExchangedRate(store, clock);

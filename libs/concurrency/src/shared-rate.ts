import { type Clock, systemClock } from "./clock.ts";
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
  /** False while uses cannot be sent. */
  isAvailable(): boolean;
  /**
   * Takes from each bucket what a process used. It does not reject.
   *
   * @returns milliseconds until each bucket is full, in the order of `uses`; undefined without an answer. The uses may have
   *   been taken even so, and are not sent again.
   */
  exchange(uses: readonly BucketUse[]): Promise<readonly number[] | undefined>;
}

/**
 * A rate limit that all processes enforce together. Each decides by buckets of its own, without a round trip; their levels
 * follow those of the shared buckets.
 */
export interface SharedRate {
  /**
   * Reports a use of a bucket. Its level is that of the shared bucket soon after, or its own count while the store is
   * unavailable; what it has not refilled by the end of that time is then taken from the shared bucket.
   *
   * @param refillMs milliseconds in which the bucket refills what was taken, at the rate of that time: negative for a return,
   *   0 for a refusal.
   */
  report(id: string, bucket: TokenBucket, refillMs: number): void;
}

/** For how long a process collects uses for one exchange. Milliseconds. */
const collectMs = 100;
/** Buckets of one exchange; further ones follow in the next. */
const maxBuckets = 2_000;
/** A use below this part of what the bucket refills meanwhile is not exchanged, so that most projects cost no command. */
const minPart = 0.01;

interface Use {
  bucket: TokenBucket;
  refillMs: number;
  since: number;
}

const isRelevant = ({ bucket, refillMs, since }: Use, now: number): boolean =>
  Math.abs(refillMs) >= minPart * (now - since) || bucket.waitMs(now) > 0;

/**
 * Reduces a use that could not be sent to what its bucket has not refilled yet, and a return by the time that has passed: the
 * shared bucket has refilled as much meanwhile. Once others have advanced the shared bucket, the time of the use no longer tells
 * how much was refilled meanwhile.
 */
const dropRefilled = (use: Use, now: number): void => {
  use.refillMs =
    use.refillMs < 0
      ? Math.min(0, use.refillMs + now - use.since)
      : Math.min(use.refillMs, use.bucket.fullInMs(now));
  use.since = now;
};

class RateExchange implements SharedRate {
  readonly #store: BucketStore;
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use>();
  /** From the first use until the answer of the store: at most one exchange is in flight. */
  #isScheduled = false;

  constructor(store: BucketStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  report(id: string, bucket: TokenBucket, refillMs: number): void {
    if (!bucket.isLimited) return;
    const use = this.#uses.get(id);
    if (use === undefined) this.#uses.set(id, { bucket, refillMs, since: this.#clock.now() });
    else {
      use.bucket = bucket;
      use.refillMs += refillMs;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.after(collectMs, () => void this.#exchange());
  }

  async #exchange(): Promise<void> {
    const now = this.#clock.now();
    for (const [id, use] of this.#uses) if (!isRelevant(use, now)) this.#uses.delete(id);
    try {
      if (this.#store.isAvailable()) await this.#send(now);
      else for (const use of this.#uses.values()) dropRefilled(use, now);
    } finally {
      this.#isScheduled = false;
      if (this.#uses.size > 0) this.#schedule();
    }
  }

  async #send(sentAt: number): Promise<void> {
    if (this.#uses.size === 0) return;
    const batch = [...this.#uses].slice(0, maxBuckets);
    for (const [id] of batch) this.#uses.delete(id);
    const uses = batch.map(([id, { refillMs, since }]) => ({ id, refillMs, ageMs: sentAt - since }));
    const answer = await this.#store.exchange(uses);
    const now = this.#clock.now();
    for (const [at, [id, { bucket }]] of batch.entries()) {
      const fullInMs = answer?.[at];
      // The store does not know yet what was used since.
      if (fullInMs !== undefined) bucket.setFullIn(fullInMs + (this.#uses.get(id)?.refillMs ?? 0), now);
    }
  }
}

/** @param clock the one by whose times the buckets are used */
export const openSharedRate = (store: BucketStore, clock: Clock = systemClock): SharedRate =>
  new RateExchange(store, clock);

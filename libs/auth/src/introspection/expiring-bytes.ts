/** Bounds in bytes. */
export interface ByteBounds {
  readonly each: number;
  readonly all: number;
}

/** Expiries are counted by the minute in which they come. */
const minuteMs = 60_000;

/** Bytes that owners have stored elsewhere until they expire there: so many of each owner, and so many of all. */
export class ExpiringBytes {
  readonly #bounds: ByteBounds;
  /** By the minute of their expiry and by owner. */
  readonly #expiring = new Map<number, Map<string, number>>();
  readonly #sums = new Map<string, number>();
  #sum = 0;

  constructor(bounds: ByteBounds) {
    this.#bounds = bounds;
  }

  /** Counts bytes that expire at `until`; false, and nothing is counted, where a bound would be passed. Milliseconds. */
  add(owner: string, bytes: number, until: number, now: number): boolean {
    this.#expire(now);
    const { each, all } = this.#bounds;
    if ((this.#sums.get(owner) ?? 0) + bytes > each || this.#sum + bytes > all) return false;
    const minute = Math.ceil(until / minuteMs);
    const owners = this.#expiring.get(minute) ?? new Map<string, number>();
    this.#expiring.set(minute, owners.set(owner, (owners.get(owner) ?? 0) + bytes));
    this.#change(owner, bytes);
    return true;
  }

  #expire(now: number): void {
    for (const [minute, owners] of this.#expiring) {
      if (minute * minuteMs > now) continue;
      this.#expiring.delete(minute);
      for (const [owner, bytes] of owners) this.#change(owner, -bytes);
    }
  }

  #change(owner: string, by: number): void {
    this.#sum += by;
    const sum = (this.#sums.get(owner) ?? 0) + by;
    if (sum === 0) this.#sums.delete(owner);
    else this.#sums.set(owner, sum);
  }
}

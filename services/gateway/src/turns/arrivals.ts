const secondMs = 1_000;

/** How many requests arrived within the last second, from the counts of this second and the one before. */
export class Arrivals {
  #second = -Infinity;
  #count = 0;
  #countBefore = 0;

  note(now: number): void {
    this.#advance(now);
    this.#count += 1;
  }

  /** @returns an estimate: those of the second before count as if they had been spread over it evenly. */
  inLastSecond(now: number): number {
    this.#advance(now);
    return this.#count + this.#countBefore * (1 - (now - this.#second * secondMs) / secondMs);
  }

  #advance(now: number): void {
    const second = Math.floor(now / secondMs);
    if (second === this.#second) return;
    this.#countBefore = second === this.#second + 1 ? this.#count : 0;
    this.#count = 0;
    this.#second = second;
  }
}

/** When projects, or organizations, last used the database. */
export class Activity<T extends { usedAt: number }> {
  /** The one of the last statement, and when another one last sent one. */
  #last: T | undefined;
  #othersUsedAt = -Infinity;

  /** Notes that one uses the database now. */
  touch(one: T, now: number): void {
    if (one !== this.#last) {
      this.#othersUsedAt = this.#last?.usedAt ?? -Infinity;
      this.#last = one;
    }
    one.usedAt = now;
  }

  /** When any other than this one last used the database. */
  othersUsedAt(one: T): number {
    return one === this.#last ? this.#othersUsedAt : (this.#last?.usedAt ?? -Infinity);
  }
}

/** Share of a common resource that all projects of one organization may use together; the rest stays free for other organizations. */
export const organizationShare = 3 / 4;

/** Amounts of a common resource that projects, organizations or callers hold. */
export class Holdings {
  readonly #held = new Map<string, number>();
  readonly #most: number;

  /** @param most of each, where a call names no other limit */
  constructor(most: number) {
    this.#most = most;
  }

  of(id: string): number {
    return this.#held.get(id) ?? 0;
  }

  add(id: string, amount: number): void {
    const held = this.of(id) + amount;
    if (held === 0) this.#held.delete(id);
    else this.#held.set(id, held);
  }

  /** A holder of nothing may take more than its share in one step, since a larger request would never be admitted otherwise. */
  hasCapacity(id: string, amount: number, most: number = this.#most): boolean {
    const held = this.of(id);
    return held === 0 || held + amount <= most;
  }
}

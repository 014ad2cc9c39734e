/** Of something that all share, what all projects of one organization have at most: the rest is there for others at any time. */
export const partOfOrganization = 3 / 4;

/** What projects, organizations or callers hold of something that all share. */
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

  /** One that holds nothing may have more than its part at once. */
  hasCapacity(id: string, amount: number, most: number = this.#most): boolean {
    const held = this.of(id);
    return held === 0 || held + amount <= most;
  }
}

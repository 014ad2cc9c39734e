/** When projects, or organizations, last used the database. */
export class Activity<T extends { usedAt: number }> {
  /** What sent the last statement. */
  #last: T | undefined;
  /** When the one before it last sent one. */
  #formerUsedAt = -Infinity;

  /** Notes that a project, or an organization, uses the database now. */
  touch(user: T, now: number): void {
    if (user !== this.#last) {
      this.#formerUsedAt = this.#last?.usedAt ?? -Infinity;
      this.#last = user;
    }
    user.usedAt = now;
  }

  /** When any but this one last used the database. */
  usedBesidesAt(user: T): number {
    return user === this.#last ? this.#formerUsedAt : (this.#last?.usedAt ?? -Infinity);
  }
}

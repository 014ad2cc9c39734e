/** When projects, or organizations, last used what all of them share: a database, or a gateway. */
export class Activity<T extends { usedAt: number }> {
  /** The last one that used it. */
  #last: T | undefined;
  /** When the one before it last did. */
  #formerUsedAt = -Infinity;

  /** Notes that a project, or an organization, uses it now. */
  touch(user: T, now: number): void {
    if (user !== this.#last) {
      this.#formerUsedAt = this.#last?.usedAt ?? -Infinity;
      this.#last = user;
    }
    user.usedAt = now;
  }

  /** When any but this one last used it. */
  usedBesidesAt(user: T): number {
    return user === this.#last ? this.#formerUsedAt : (this.#last?.usedAt ?? -Infinity);
  }
}

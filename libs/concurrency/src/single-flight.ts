/**
 * Work that runs once at a time for each key: whoever asks while it runs shares its outcome, a failure as well. No caller
 * aborts it; each one bounds its own wait with `untilAborted` or `withTimeout`, and the work has a limit of its own.
 */
export class SingleFlight<K, T> {
  readonly #running = new Map<K, Promise<T>>();

  /** Joins the work that runs for the key, or starts it. Every caller may be gone when it fails. */
  run(key: K, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = work();
    this.#running.set(key, started);
    const end = (): void => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    };
    // The first reaction to its outcome: none of those who wait finds it still running.
    started.then(end, end);
    return started;
  }

  has(key: K): boolean {
    return this.#running.has(key);
  }

  /** Work that runs for the key goes on for those who wait; the next caller starts it anew. */
  forget(key: K): void {
    this.#running.delete(key);
  }

  /** `forget` of every key. */
  clear(): void {
    this.#running.clear();
  }

  /** Resolves when all work that runs now has ended, however it did. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

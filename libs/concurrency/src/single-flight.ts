/**
 * Deduplicates concurrent work by key: callers during a run share its outcome, including a failure. No caller aborts the work; each
 * bounds its own wait with `untilAborted` or `withTimeout`, and the work has a limit of its own.
 */
export class SingleFlight<K, T> {
  readonly #running = new Map<K, Promise<T>>();

  /** Joins the running work of the key, or starts it. It may fail after all callers have stopped waiting. */
  run(key: K, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = work();
    this.#running.set(key, started);
    const end = (): void => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    };
    // Registered before the callers react: none of them finds the work still running.
    started.then(end, end);
    return started;
  }

  has(key: K): boolean {
    return this.#running.has(key);
  }

  /** The running work of the key continues for its callers; the next caller starts it again. */
  forget(key: K): void {
    this.#running.delete(key);
  }

  /** `forget` of every key. */
  clear(): void {
    this.#running.clear();
  }

  /** Resolves when all currently running work has settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

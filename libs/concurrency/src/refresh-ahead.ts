/** Share of a lifetime after which what is still valid is read again. */
const dueAfter = 2 / 3;
/** Share of a lifetime between two attempts: one that fails is not made again by each request. */
const attemptsApart = 1 / 6;

/**
 * Reads what is in use again before its lifetime has ended, while callers get what is there: none waits for the database whenever a
 * lifetime ends. What nothing asks for is not read.
 *
 * Requests bound the reads that they wait for; nothing waits for these. So above a bound none begins, and the next request tries again.
 *
 * @typeParam T what holds the value that was read.
 */
export class RefreshAhead<T extends object> {
  readonly #now: () => number;
  readonly #most: number;
  #running = 0;
  readonly #attempts = new WeakMap<T, number>();

  /**
   * @param now milliseconds of any clock
   * @param most reads at a time
   */
  constructor(now: () => number, most: number) {
    this.#now = now;
    this.#most = most;
  }

  /**
   * Starts `read` if the holder's value is old enough. A failure is ignored: the first caller after the lifetime reads the value itself, and gets
   * the reason.
   *
   * @param readAt when the value was read, of the same clock.
   */
  start(holder: T, readAt: number, lifetimeMs: number, read: () => Promise<unknown>): void {
    if (this.#running >= this.#most) return;
    const now = this.#now();
    if (now - readAt < lifetimeMs * dueAfter) return;
    const attempt = this.#attempts.get(holder);
    if (attempt !== undefined && now - attempt < lifetimeMs * attemptsApart) return;
    this.#attempts.set(holder, now);
    this.#running++;
    const end = (): void => void this.#running--;
    read().then(end, end);
  }
}

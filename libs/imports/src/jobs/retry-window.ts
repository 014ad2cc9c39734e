import { IkgError, isUnexecuted } from "@ikg/client";

/** How long an import retries while the suite is overloaded or restarting. Afterwards the same command continues the import. */
export const retryTimeoutMs = 120_000;

/** The minimum pause before the next attempt, and the pause without a connection, when no response has a Retry-After. */
const minPauseMs = 100;
const unconnectedPauseMs = 1_000;

/** Resolves after a time, or as soon as the signal is aborted. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });

/** Retries of requests that the suite did not execute, for a limited time after the last success. */
export class RetryWindow {
  #since: number | undefined;
  #hasAccepted = false;

  /** Starts a new window: the suite has accepted a job. */
  reset(): void {
    this.#since = undefined;
    this.#hasAccepted = true;
  }

  /** Waits before the next attempt. @throws `failure` if the request may have been executed, or the window is over */
  async backOff(failure: unknown, signal: AbortSignal): Promise<void> {
    const hasResponse = failure instanceof IkgError;
    // A suite that has never responded is not retried: its address may be wrong.
    if (!isUnexecuted(failure) || (!hasResponse && !this.#hasAccepted)) throw failure;
    this.#since ??= performance.now();
    const ms = hasResponse ? Math.max((failure.retryAfter ?? 0) * 1_000, minPauseMs) : unconnectedPauseMs;
    if (performance.now() + ms - this.#since > retryTimeoutMs) throw failure;
    await wait(ms, signal);
    signal.throwIfAborted();
  }
}

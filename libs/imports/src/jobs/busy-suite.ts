import { IkgError, isUnexecuted } from "@ikg/client";

/** How long an import waits for a suite that is too busy, or starts again. When it ends, the same command continues it. */
export const busyTimeoutMs = 120_000;

/** Before the next attempt at least; and where there is no connection, so that no answer says when to come back. */
const shortestPauseMs = 100;
const unconnectedPauseMs = 1_000;

/** Waits; the signal ends it early. */
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

/** Waits while the suite takes nothing. */
export class BusySuite {
  #since: number | undefined;
  #hasAccepted = false;

  /** The suite has taken a job. */
  accepted(): void {
    this.#since = undefined;
    this.#hasAccepted = true;
  }

  /** Waits until the next attempt. @throws `failure`, unless nothing was executed and there is time left */
  async waitAfter(failure: unknown, signal: AbortSignal): Promise<void> {
    const isAnswer = failure instanceof IkgError;
    // A suite that was never there is not waited for: its address may be wrong.
    if (!isUnexecuted(failure) || (!isAnswer && !this.#hasAccepted)) throw failure;
    this.#since ??= performance.now();
    const ms = isAnswer ? Math.max((failure.retryAfter ?? 0) * 1_000, shortestPauseMs) : unconnectedPauseMs;
    if (performance.now() + ms - this.#since > busyTimeoutMs) throw failure;
    await wait(ms, signal);
    signal.throwIfAborted();
  }
}

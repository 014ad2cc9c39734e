import { setTimeout as wait } from "node:timers/promises";
import { IkgError, isUnexecuted } from "@ikg/client";

/** How long an import waits for a suite that is too busy, or starts again. When it ends, the same command continues it. */
export const patienceMs = 120_000;

/** Before the next attempt at least; and where there is no connection, so that no answer says when to come back. */
const shortestPauseMs = 100;
const unconnectedPauseMs = 1_000;

/** Waits while the suite takes nothing, for as long as it has patience. */
export class Patience {
  #since: number | undefined;
  #hasTaken = false;

  /** The suite has taken something. */
  end(): void {
    this.#since = undefined;
    this.#hasTaken = true;
  }

  /** Waits until the next attempt. @throws `error`, unless nothing was executed and there is time left */
  async before(error: unknown, signal: AbortSignal): Promise<void> {
    const isAnswer = error instanceof IkgError;
    // A suite that was never there is not waited for: its address may be wrong.
    if (!isUnexecuted(error) || (!isAnswer && !this.#hasTaken)) throw error;
    this.#since ??= performance.now();
    const ms = isAnswer ? Math.max((error.retryAfter ?? 0) * 1_000, shortestPauseMs) : unconnectedPauseMs;
    if (performance.now() + ms - this.#since > patienceMs) throw error;
    await wait(ms, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

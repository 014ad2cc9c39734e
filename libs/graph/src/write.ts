import { setTimeout as wait } from "node:timers/promises";
import neo4j from "neo4j-driver";
import {
  commitUnknown,
  isOverloaded,
  isRolledBack,
  isTransient,
  problemOf,
  StatementTimeout,
} from "./errors.ts";
import { followIntake } from "./intake.ts";
import { overloadPauseMs, overloadTries } from "./overload.ts";
import { parameters } from "./parameters.ts";
import { openSession, type Source, transactionConfig } from "./read.ts";
import { rowOf } from "./results.ts";
import type { RunOptions } from "./scheduling/in-slot.ts";
import type { Row, StatementEvent, Transaction } from "./types.ts";

/**
 * Tries of one write: the driver's own loop pauses a second at first, far longer than a deadlock lasts. Five were used up
 * by four writers of the same hubs.
 */
const tries = 10;
const shortestPauseMs = 20;
const longestPauseMs = 200;
/** How long an acknowledgement of a commit is awaited past the limit of the call. */
export const commitGraceMs = 3_000;

const pause = (attempt: number): Promise<void> => {
  const ceiling = Math.min(longestPauseMs, shortestPauseMs * 2 ** attempt);
  return new Promise((resolve) =>
    setTimeout(resolve, shortestPauseMs + Math.random() * (ceiling - shortestPauseMs)),
  );
};

export interface Target extends Source {
  /** Stands before every text: the language version, or nothing. */
  readonly prefix: string;
  observe(event: StatementEvent): void;
}

/** One transaction, one try. */
const runOnce = async <T>(
  target: Target,
  work: (tx: Transaction) => Promise<T>,
  options: RunOptions,
): Promise<T> => {
  const { signal, timeoutMs } = options;
  const session = openSession(target, neo4j.session.WRITE, options);
  // Not awaited: BEGIN travels together with the first statement.
  const driverTransaction = session.beginTransaction(transactionConfig(options));
  let failure: unknown;
  let state: "running" | "committing" | "stopped" = "running";
  const transaction: Transaction = {
    run: async (text, params) => {
      const started = performance.now();
      let rows: Row[] = [];
      let failed = true;
      try {
        const result = await driverTransaction.run(target.prefix + text, parameters(params));
        rows = result.records.map(rowOf);
        failed = false;
        return rows;
      } catch (error) {
        failure ??= error;
        throw problemOf(error, timeoutMs);
      } finally {
        target.observe({
          text,
          ms: performance.now() - started,
          rows: rows.length,
          failed,
          requestId: options.requestId,
        });
      }
    },
  };

  const carryOut = async (): Promise<T> => {
    const value = await work(transaction);
    // A failed statement has ended the transaction, whatever `work` made of it.
    if (failure !== undefined) throw failure;
    if (state !== "running") throw new StatementTimeout(timeoutMs);
    state = "committing";
    try {
      await driverTransaction.commit();
    } catch (error) {
      // Some locks of relationships are taken at the commit, so a deadlock can come as late as this.
      throw isRolledBack(error) ? error : commitUnknown(error);
    }
    options.onCommit?.({ [target.part]: session.lastBookmarks() });
    return value;
  };

  const isStopped = (): boolean => state === "stopped";
  const { promise: halted, reject: halt } = Promise.withResolvers<never>();
  const stop = (reason: unknown): void => {
    if (state !== "running") return;
    state = "stopped";
    halt(reason);
  };
  const { intake } = options;
  const following =
    intake &&
    followIntake(
      session,
      neo4j.session.WRITE,
      {
        begin: () => intake.begin(),
        received: (bytes) => (state === "running" ? intake.received(bytes) : undefined),
      },
      stop,
    );
  let grace: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    if (state === "committing") {
      grace = setTimeout(() => halt(commitUnknown(new StatementTimeout(timeoutMs))), commitGraceMs);
    } else stop(new StatementTimeout(timeoutMs));
  }, timeoutMs);
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([carryOut(), halted]);
  } catch (error) {
    // What `work` made of a failure counts, except where the whole is to be tried again.
    throw isTransient(failure) ? failure : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener("abort", onAbort);
    if (!isStopped()) following?.stop();
    // Closing rolls back what is still open. The caller does not wait for it: the outcome is known.
    const closing = session.close().catch(() => undefined);
    following?.cut(closing);
    if (isStopped()) options.onClosing?.(closing);
  }
};

/**
 * Runs one write transaction, retried on transient failures before the commit.
 *
 * @throws what `Database.write` says.
 */
export const runWrite = async <T>(
  target: Target,
  work: (tx: Transaction) => Promise<T>,
  options: RunOptions,
): Promise<T> => {
  const deadline = performance.now() + options.timeoutMs;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new StatementTimeout(options.timeoutMs);
    try {
      return await runOnce(target, work, { ...options, timeoutMs });
    } catch (error) {
      const overloaded = isOverloaded(error);
      const most = overloaded ? overloadTries : tries;
      if (attempt >= most || !isTransient(error)) throw problemOf(error, options.timeoutMs);
      await (overloaded ? wait(overloadPauseMs(attempt)) : pause(attempt));
    }
  }
};

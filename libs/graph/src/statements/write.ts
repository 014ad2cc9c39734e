import { setTimeout as wait } from "node:timers/promises";
import neo4j, { type Session } from "neo4j-driver";
import {
  commitUnknown,
  isOverloaded,
  isRolledBack,
  isTransient,
  problemOf,
  StatementTimeout,
} from "../errors.ts";
import { monitorResponse, type ResponseMonitor } from "../connections/response-monitor.ts";
import type { FirstPlans } from "./first-plans.ts";
import { FirstStatement } from "./first-statement.ts";
import { overloadPauseMs, overloadTries } from "./overload.ts";
import { parameters } from "./parameters.ts";
import { openSession, responseBudgetOf, type SentOptions, type Source, transactionConfig } from "./read.ts";
import { rowOf } from "./results.ts";
import type { Params, Row, StatementEvent, Transaction } from "../types.ts";

/**
 * Attempts of one write: the driver's own loop pauses a second at first, far longer than a deadlock lasts. Four writers
 * of the same hubs exhaust five attempts.
 */
const tries = 10;
const shortestPauseMs = 20;
const maxPauseMs = 200;
/** How long the acknowledgement of a commit is awaited after the timeout of the call. */
export const commitGraceMs = 3_000;

const pause = (attempt: number): Promise<void> => {
  const ceiling = Math.min(maxPauseMs, shortestPauseMs * 2 ** attempt);
  return new Promise((resolve) =>
    setTimeout(resolve, shortestPauseMs + Math.random() * (ceiling - shortestPauseMs)),
  );
};

export interface Target extends Source {
  /** Stands before every text: the language version, or nothing. */
  readonly prefix: string;
  readonly firstPlans: FirstPlans;
  observe(event: StatementEvent): void;
}

/** One transaction, one try: runs, then commits, unless it is stopped before. */
class WriteAttempt<T> {
  readonly #target: Target;
  readonly #work: (tx: Transaction) => Promise<T>;
  readonly #options: SentOptions;
  readonly #session: Session;
  readonly #driverTransaction: ReturnType<Session["beginTransaction"]>;
  readonly #firstStatement: FirstStatement;
  readonly #halted = Promise.withResolvers<never>();
  #monitor: ResponseMonitor | undefined;
  #state: "running" | "committing" | "stopped" = "running";
  /** The first failure of a statement: it has ended the transaction, even if `work` caught it. */
  #failure: unknown;
  #grace: NodeJS.Timeout | undefined;

  constructor(target: Target, work: (tx: Transaction) => Promise<T>, options: SentOptions) {
    this.#target = target;
    this.#work = work;
    this.#options = options;
    this.#firstStatement = new FirstStatement(target.firstPlans, options);
    this.#session = openSession(target, neo4j.session.WRITE, options);
    // Not awaited: BEGIN travels together with the first statement.
    this.#driverTransaction = this.#session.beginTransaction(transactionConfig(options));
  }

  async run(): Promise<T> {
    const { signal, timeoutMs } = this.#options;
    this.#monitor = this.#monitorResponse();
    const timer = setTimeout(() => this.#onTimeout(), timeoutMs);
    const onAbort = (): void => this.#stop(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([this.#runAndCommit(), this.#halted.promise]);
    } catch (error) {
      // A transient failure is retried, whatever `work` made of it.
      throw isTransient(this.#failure) ? this.#failure : error;
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#grace);
      signal?.removeEventListener("abort", onAbort);
      this.#close();
    }
  }

  async #runAndCommit(): Promise<T> {
    const value = await this.#work({ run: (text, params) => this.#runStatement(text, params) });
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#state !== "running") throw new StatementTimeout(this.#options.timeoutMs);
    this.#state = "committing";
    // What was answered is complete; the budget can refuse nothing from here on.
    this.#monitor?.stop();
    try {
      await this.#driverTransaction.commit();
    } catch (error) {
      // Some locks of relationships are taken at the commit, so a deadlock can come as late as this.
      throw isRolledBack(error) ? error : commitUnknown(error);
    }
    this.#options.onCommit?.({ [this.#target.part]: this.#session.lastBookmarks() });
    return value;
  }

  async #runStatement(text: string, params: Params): Promise<Row[]> {
    const { prefix } = this.#target;
    const { requestId, timeoutMs } = this.#options;
    let started = performance.now();
    let rows: Row[] = [];
    let failed = true;
    try {
      const turn = this.#firstStatement.turn(text, params);
      if (turn !== undefined) {
        await this.#begun(turn);
        started = performance.now();
      }
      const answer = this.#driverTransaction.run(prefix + text, parameters(params));
      this.#firstStatement.sent(answer);
      const result = await answer;
      rows = result.records.map(rowOf);
      failed = false;
      return rows;
    } catch (error) {
      this.#failure ??= error;
      throw problemOf(error, timeoutMs);
    } finally {
      const ms = performance.now() - started;
      this.#target.observe({ text, ms, rows: rows.length, failed, requestId });
    }
  }

  /** A transaction that could not begin says why: the driver has another error for a statement that comes after that. */
  async #begun(turn: Promise<void>): Promise<void> {
    await turn;
    await this.#driverTransaction;
  }

  #monitorResponse(): ResponseMonitor | undefined {
    const budget = responseBudgetOf(this.#target, this.#options);
    return (
      budget && monitorResponse(this.#session, neo4j.session.WRITE, budget, (reason) => this.#stop(reason))
    );
  }

  #onTimeout(): void {
    const timeout = new StatementTimeout(this.#options.timeoutMs);
    if (this.#state !== "committing") this.#stop(timeout);
    else this.#grace = setTimeout(() => this.#abandonCommit(timeout), commitGraceMs);
  }

  /** Its outcome is unknown, and the server may still be at work on it. */
  #abandonCommit(timeout: StatementTimeout): void {
    this.#state = "stopped";
    this.#halted.reject(commitUnknown(timeout));
  }

  #stop(reason: unknown): void {
    if (this.#state !== "running") return;
    this.#state = "stopped";
    this.#halted.reject(reason);
  }

  /** Closing rolls back what is still open. It is not awaited: the outcome is known. */
  #close(): void {
    const isStopped = this.#state === "stopped";
    this.#firstStatement.close();
    if (!isStopped) this.#monitor?.stop();
    const closing = this.#session.close().catch(() => undefined);
    this.#monitor?.cut(closing);
    if (isStopped) this.#options.onClosing?.(closing);
  }
}

/**
 * Runs one write transaction, retried on transient failures before the commit.
 *
 * @throws the errors of `Database.write`.
 */
export const runWrite = async <T>(
  target: Target,
  work: (tx: Transaction) => Promise<T>,
  options: SentOptions,
): Promise<T> => {
  const deadline = performance.now() + options.timeoutMs;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new StatementTimeout(options.timeoutMs);
    try {
      return await new WriteAttempt(target, work, { ...options, timeoutMs }).run();
    } catch (error) {
      const overloaded = isOverloaded(error);
      const most = overloaded ? overloadTries : tries;
      if (attempt >= most || !isTransient(error)) throw problemOf(error, options.timeoutMs);
      await (overloaded ? wait(overloadPauseMs(attempt)) : pause(attempt));
    }
  }
};

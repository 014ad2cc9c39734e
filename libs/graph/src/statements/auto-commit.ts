import neo4j, { Neo4jError, type Session } from "neo4j-driver";
import {
  commitUnknown,
  HostNotAllowedError,
  isNeverSent,
  isOfServer,
  isRefusedUnread,
  isRolledBack,
  problemOf,
  StatementTimeout,
} from "../errors.ts";
import { monitorResponse, type ResponseMonitor } from "../connections/response-monitor.ts";
import { parameters } from "./parameters.ts";
import { openSession, responseBudgetOf, type SentOptions, transactionConfig, withoutTrace } from "./read.ts";
import { rowOf } from "./results.ts";
import type { Params, Row } from "../types.ts";
import { commitGraceMs, type Target } from "./write.ts";

/**
 * True when a failure proves that nothing was written. The statement's row comes before its commit, so an error of the
 * server without a row precedes the commit; a lost connection may have lost the acknowledgement.
 */
const isUnwritten = (error: unknown, hasRow: boolean): boolean => {
  if (error instanceof HostNotAllowedError) return true;
  if (!(error instanceof Neo4jError)) return false;
  if (isOfServer(error)) return !hasRow || isRolledBack(error);
  return !hasRow && (isNeverSent(error) || isRefusedUnread(error));
};

/** One statement, from its start to the one outcome that its caller gets. */
class AutoCommit {
  readonly #target: Target;
  readonly #options: SentOptions;
  readonly #session: Session;
  readonly #settled = Promise.withResolvers<Row[]>();
  readonly #rows: Row[] = [];
  readonly #timer: NodeJS.Timeout;
  #isOpen = true;
  /** `closing` settles when the server has ended the statement: a session that is closed again does not wait for it. */
  #stopped: { readonly reason: unknown; readonly closing: Promise<unknown> } | undefined;
  #grace: NodeJS.Timeout | undefined;
  #monitor: ResponseMonitor | undefined;

  constructor(target: Target, options: SentOptions) {
    const { signal, timeoutMs } = options;
    this.#target = target;
    this.#options = options;
    this.#session = openSession(target, neo4j.session.WRITE, options);
    this.#timer = setTimeout(() => this.#stop(new StatementTimeout(timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  run(text: string, params: ReturnType<typeof parameters>): Promise<Row[]> {
    try {
      const result = withoutTrace(() =>
        this.#session.run(this.#target.prefix + text, params, transactionConfig(this.#options)),
      );
      this.#monitorResponse();
      result.subscribe({
        onKeys: () => this.#options.onPlanned?.(),
        onNext: (record) => void this.#rows.push(rowOf(record)),
        onCompleted: () => this.#end(() => this.#complete()),
        onError: (error) => this.#end(() => this.#fail(error)),
      });
    } catch (error) {
      this.#end(() => this.#settled.reject(error));
    }
    return this.#settled.promise;
  }

  readonly #onAbort = (): void => this.#stop(this.#options.signal?.reason);

  /** Its one row comes before its commit: a connection that is closed in between leaves the outcome unknown. */
  #monitorResponse(): void {
    const budget = responseBudgetOf(this.#target, this.#options);
    if (budget === undefined) return;
    this.#monitor = monitorResponse(this.#session, neo4j.session.WRITE, budget, (error) =>
      this.#end(() => this.#settled.reject(commitUnknown(error)), true),
    );
  }

  /** Makes the server end the statement; the outcome is what it answers within the grace period. */
  #stop(reason: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#grace = setTimeout(
      () => this.#end(() => this.#settled.reject(commitUnknown(reason))),
      commitGraceMs,
    );
    this.#monitor?.flow();
    this.#stopped = { reason, closing: this.#close() };
  }

  #close(): Promise<unknown> {
    return this.#session.close().catch(() => undefined);
  }

  #complete(): void {
    // Resolved before `onCommit` runs, whose failure would count as one of the statement.
    this.#settled.resolve(this.#rows);
    this.#options.onCommit?.({ [this.#target.part]: this.#session.lastBookmarks() });
  }

  #fail(error: unknown): void {
    const { reject } = this.#settled;
    if (!isUnwritten(error, this.#rows.length > 0)) reject(commitUnknown(error));
    else
      reject(this.#stopped === undefined ? problemOf(error, this.#options.timeoutMs) : this.#stopped.reason);
  }

  /** Settles once; what comes later is ignored. */
  #end(settle: () => void, isCut = this.#stopped !== undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    const closing = this.#stopped?.closing ?? this.#close();
    if (this.#stopped === undefined) this.#monitor?.stop();
    else this.#monitor?.cut(closing);
    if (isCut) this.#options.onClosing?.(closing);
    settle();
  }
}

/**
 * Runs one auto-commit statement in WRITE mode, once. When it is stopped, its outcome is what the server still answers.
 *
 * @throws the errors of `Database.writeOnce`, `commit_unknown` (500) among them.
 */
export const runAutoCommit = async (
  target: Target,
  text: string,
  params: Params,
  options: SentOptions,
): Promise<Row[]> => {
  options.signal?.throwIfAborted();
  const converted = parameters(params);
  return new AutoCommit(target, options).run(text, converted);
};

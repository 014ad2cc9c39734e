import { Problem } from "@ikg/contracts";
import { isWriteRefused, StatementTimeout } from "../errors.ts";
import { partsOf, runLimitOf } from "./split-rows.ts";
import type { GraphHooks, Params, Row, StatementOptions } from "../types.ts";
import { type WaitingRow, waitForRow, type Within } from "./waiting-row.ts";

/** Statements of one text under way at the same time: the second is filled while the first one runs. */
const statementsInFlight = 2;
/** Rows of one statement at most: beyond that a longer statement gains nothing and delays its rows. */
const rowsPerStatement = 256;
/**
 * Parts of failed statements of one text that are under way at the same time. Fresh rows do not wait for them: they do not count
 * as `statementsInFlight`, and are fewer than the heavy statements of a single active project (docs/decisions/0019-fair-statements.md).
 */
const retriesInFlight = 3;
/** A first attempt that has run for this long no longer delays the next one. Milliseconds. */
const slowMs = 250;
/** Limit of the slow first attempts of one text, which delay no other attempt. */
const slowInFlight = 8;

/** How a joined statement is sent. */
export interface SendOptions extends StatementOptions {
  /**
   * Limit of the run itself in milliseconds, read when it begins: shorter than `timeoutMs`, which bounds the wait for its
   * turn as well, so that rows which share the statement with a slow one have time left to be sent again.
   */
  readonly runMs: () => number;
}

/**
 * Sends one statement with these rows; `Database.read` in production.
 *
 * @param scope of the latest row: the project that the statement counts for.
 */
export type SendRows<S = unknown> = (
  text: string,
  rows: readonly Params[],
  options: SendOptions,
  scope: S | undefined,
) => Promise<Row[]>;

export type CoalesceHooks = Pick<GraphHooks, "onJoined" | "contextOf">;

const anyContext: Within = (work) => work();

/**
 * Numbers of rows lie between the integers: the driver sends and reads such a number as it is, an integer as an object
 * that it computes with.
 */
const firstNumber = 0.5;

/** True when the failure is not caused by the rows: the database is unavailable, or the queue of the project is full. */
const isRefusedForAll = (error: unknown): boolean =>
  error instanceof Problem && ["unavailable", "too_many_requests"].includes(error.code);

/** A signal that is aborted when no caller of a statement waits any more. */
const abandonedSignal = (entries: readonly WaitingRow[]): AbortSignal => {
  const abandoned = new AbortController();
  let waiting = entries.length;
  const onGone = (): void => {
    waiting -= 1;
    if (waiting === 0) abandoned.abort(new Error("every caller of the statement has left"));
  };
  for (const entry of entries) entry.onGone = onGone;
  return abandoned.signal;
};

/** Hands the rows of an answer out by their numbers. */
const settleRows = (entries: readonly WaitingRow[], rows: readonly Row[]): void => {
  const byNumber = new Map<unknown, Row>();
  for (const row of rows) if (!byNumber.has(row["i"])) byNumber.set(row["i"], row);
  for (const entry of entries) entry.settle({ row: byNumber.get(entry.number) });
};

/** What waits and runs for one statement text, and for one state that it has to see. */
export class Lane<S> {
  readonly #text: string;
  /** That of the latest row: all rows of a text belong to one project, whose limits may have changed since the first. */
  #scope: S | undefined;
  readonly #send: SendRows<S>;
  readonly #hooks: CoalesceHooks;
  readonly #onIdle: () => void;
  #nextNumber = firstNumber;
  /** First attempts that keep the next one back. */
  #inFlight = 0;
  /** First attempts that have run for long and keep none back. */
  #slow = 0;
  /** Parts of failed statements that are under way, and those of them that have their turn. */
  #retrying = 0;
  #retriesRunning = 0;
  #isScheduled = false;
  #waiting: WaitingRow[] = [];
  /** Parts of failed statements that wait. */
  readonly #retries: (readonly WaitingRow[])[] = [];

  /** @param onIdle called when nothing waits and nothing runs any more. */
  constructor(text: string, send: SendRows<S>, hooks: CoalesceHooks, onIdle: () => void) {
    this.#text = text;
    this.#send = send;
    this.#hooks = hooks;
    this.#onIdle = onIdle;
  }

  /** Adds a row; it is sent with those of this turn of the event loop, such as the entries of a batch. */
  add(
    row: Record<string, unknown>,
    options: StatementOptions,
    scope: S | undefined,
  ): Promise<Row | undefined> {
    this.#scope = scope;
    const within = this.#hooks.contextOf?.() ?? anyContext;
    const { entry, answer } = waitForRow(this.#nextNumber++, row, options, within);
    this.#waiting.push(entry);
    if (!this.#isScheduled && this.#inFlight < statementsInFlight) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#pump();
      });
    }
    return answer;
  }

  /**
   * Sends rows as one statement; each has its answer afterwards, or waits among the retries.
   *
   * @param onRun called when the statement has its turn; true when other rows wait behind it that have less time than it may need.
   */
  async #attempt(entries: readonly WaitingRow[], onRun: () => boolean): Promise<void> {
    let hasWaitingRows = false;
    const signal = abandonedSignal(entries);
    const latest = Math.max(...entries.map(({ deadline }) => deadline));
    try {
      const rows = await this.#send(
        this.#text,
        entries.map(({ row }) => row),
        {
          timeoutMs: Math.max(1, latest - performance.now()),
          runMs: () => {
            hasWaitingRows = onRun();
            return runLimitOf(entries, hasWaitingRows);
          },
          signal,
          requestId: entries[0]?.options.requestId,
          after: entries[0]?.options.after,
        },
        this.#scope,
      );
      settleRows(entries, rows);
    } catch (error) {
      this.#fail(entries, error, hasWaitingRows);
    }
  }

  /** Settles the rows of a failed statement, or keeps them for retries. */
  #fail(entries: readonly WaitingRow[], error: unknown, hasWaitingRows: boolean): void {
    const isTimeout = error instanceof StatementTimeout;
    const [first] = entries;
    if (isTimeout && entries.length === 1 && hasWaitingRows && first?.isRepeated === false) {
      first.isRepeated = true;
      this.#retries.push(entries);
      return;
    }
    if (entries.length === 1 || isRefusedForAll(error) || isWriteRefused(error)) {
      for (const entry of entries)
        entry.settle({ error: isTimeout ? new StatementTimeout(entry.options.timeoutMs, error) : error });
      return;
    }
    const open = entries.filter((entry) => entry.open);
    if (open.length > 0) this.#retries.push(...partsOf(open, isTimeout));
  }

  #startFirst(entries: readonly WaitingRow[], first: WaitingRow): void {
    this.#inFlight += 1;
    let isSlow = false;
    let timer: NodeJS.Timeout | undefined;
    const releaseCapacity = (): void => {
      if (this.#slow >= slowInFlight) {
        timer = setTimeout(releaseCapacity, slowMs);
        return;
      }
      isSlow = true;
      this.#slow += 1;
      this.#inFlight -= 1;
      this.#pump();
    };
    const onRun = (): boolean => {
      timer ??= setTimeout(releaseCapacity, slowMs);
      return false;
    };
    this.#hooks.onJoined?.({ rows: entries.length, waitedMs: performance.now() - first.since });
    // Hooks of the statement run in the context of the first of its callers, not of the one whose end freed its slot.
    void first
      .within(() => this.#attempt(entries, onRun))
      .finally(() => {
        clearTimeout(timer);
        if (isSlow) this.#slow -= 1;
        else this.#inFlight -= 1;
        this.#pump();
      });
  }

  #startRetry(entries: readonly WaitingRow[], first: WaitingRow): void {
    this.#retrying += 1;
    let isRunning = false;
    const onRun = (): boolean => {
      isRunning = true;
      this.#retriesRunning += 1;
      return this.#retries.length > 0 || this.#retriesRunning < this.#retrying;
    };
    void first
      .within(() => this.#attempt(entries, onRun))
      .finally(() => {
        this.#retrying -= 1;
        if (isRunning) this.#retriesRunning -= 1;
        this.#pump();
      });
  }

  #takeWaiting(): readonly WaitingRow[] {
    const entries: WaitingRow[] = [];
    let taken = 0;
    while (taken < this.#waiting.length && entries.length < rowsPerStatement) {
      const entry = this.#waiting[taken++];
      if (entry?.open === true) entries.push(entry);
    }
    this.#waiting = this.#waiting.slice(taken);
    return entries;
  }

  #pump(): void {
    while (this.#inFlight < statementsInFlight) {
      const entries = this.#takeWaiting();
      const [first] = entries;
      if (first === undefined) break;
      this.#startFirst(entries, first);
    }
    while (this.#retrying < retriesInFlight) {
      const part = this.#retries.shift();
      if (part === undefined) break;
      const entries = part.filter(({ open }) => open);
      const [first] = entries;
      if (first !== undefined) this.#startRetry(entries, first);
    }
    const running = this.#inFlight + this.#slow + this.#retrying;
    if (running === 0 && this.#waiting.length === 0 && !this.#isScheduled) this.#onIdle();
  }
}

import { Problem } from "@ikg/contracts";
import { isWriteRefused, StatementTimeout } from "./errors.ts";
import type { GraphHooks, Params, Row, StatementOptions } from "./types.ts";

/** Statements of one text under way at the same time: the second is filled while the first one runs. */
export const statementsInFlight = 2;
/** Rows of one statement at most: beyond that a longer statement gains nothing and delays its rows. */
export const rowsPerStatement = 256;

/**
 * Sends one statement with these rows; `Database.read` in production.
 *
 * @param scope what the first of the rows was asked with: whose the statement is.
 */
export type SendRows<S = unknown> = (
  text: string,
  rows: readonly Params[],
  options: StatementOptions,
  scope: S | undefined,
) => Promise<Row[]>;

type Within = <T>(work: () => T) => T;

const anywhere: Within = (work) => work();

/** One caller that waits for one row. */
interface Waiting {
  /** By which its answer is known. */
  readonly number: number;
  readonly row: Params;
  readonly options: StatementOptions;
  readonly deadline: number;
  readonly since: number;
  /** Runs something in the asynchronous context of the caller. */
  readonly within: Within;
  /** False once the caller has its answer, left, or ran out of time. */
  open: boolean;
  /** Called when the caller stops waiting before an answer came. */
  onGone?: () => void;
  settle(answer: { row: Row | undefined } | { error: unknown }): void;
}

/** What waits and runs for one statement text, and for one state that it has to see (README decision 23). */
interface Lane<S> {
  readonly key: string;
  readonly text: string;
  /** A text belongs to one project, so all its rows have the same. */
  readonly scope: S | undefined;
  nextNumber: number;
  inFlight: number;
  scheduled: boolean;
  waiting: Waiting[];
}

/** NUL is in no text. */
const keyOf = (text: string, { after }: StatementOptions): string =>
  after === undefined ? text : `${text}\0${JSON.stringify(after)}`;

/**
 * Numbers of rows lie between the integers: the driver sends and reads such a number as it is, an integer as an object
 * that it computes with.
 */
const firstNumber = 0.5;

const wait = (
  lane: Lane<unknown>,
  row: Record<string, unknown>,
  options: StatementOptions,
  within: Within,
): { readonly entry: Waiting; readonly answer: Promise<Row | undefined> } => {
  const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
  const { signal, timeoutMs } = options;
  const leave = (error: unknown): void => {
    entry.settle({ error });
    entry.onGone?.();
  };
  const onAbort = (): void => leave(signal?.reason);
  const timer = setTimeout(() => leave(new StatementTimeout(timeoutMs)), timeoutMs);
  const since = performance.now();
  const number = lane.nextNumber++;
  row["i"] = number;
  const entry: Waiting = {
    number,
    row,
    options,
    deadline: since + timeoutMs,
    since,
    within,
    open: true,
    settle: (answer) => {
      if (!entry.open) return;
      entry.open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if ("error" in answer) reject(answer.error);
      else resolve(answer.row);
    },
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  return { entry, answer: promise };
};

/**
 * Joins rows of one statement text that wait at the same moment into one statement (neo4j specification 14).
 * A text is part of the key and belongs to one project, so rows of two projects never meet; results are
 * handed out by number and never shared.
 *
 * @param hooks `onJoined` is told of every statement that is sent, not of the halves of one that failed.
 */
export const coalesce = <S>(send: SendRows<S>, hooks: Pick<GraphHooks, "onJoined" | "contextOf"> = {}) => {
  const lanes = new Map<string, Lane<S>>();

  /** Sends the rows that are still wanted; ends when each has its answer. */
  const carryOut = async (lane: Lane<S>, entries: readonly Waiting[]): Promise<void> => {
    let wanted = entries.length;
    const nobodyLeft = new AbortController();
    for (const entry of entries) {
      entry.onGone = () => {
        wanted -= 1;
        if (wanted === 0) nobodyLeft.abort(new Error("every caller of the statement has left"));
      };
    }
    const latest = Math.max(...entries.map(({ deadline }) => deadline));
    try {
      const rows = await send(
        lane.text,
        entries.map((entry) => entry.row),
        {
          timeoutMs: Math.max(1, latest - performance.now()),
          signal: nobodyLeft.signal,
          requestId: entries[0]?.options.requestId,
          after: entries[0]?.options.after,
        },
        lane.scope,
      );
      const byNumber = new Map<unknown, Row>();
      for (const row of rows) if (!byNumber.has(row["i"])) byNumber.set(row["i"], row);
      for (const entry of entries) entry.settle({ row: byNumber.get(entry.number) });
    } catch (error) {
      const alone = entries.length === 1;
      if (alone || error instanceof StatementTimeout || isRefusedForAll(error) || isWriteRefused(error)) {
        for (const entry of entries) entry.settle({ error });
        return;
      }
      // A row failed and took the others with it: halved again and again, only the guilty one fails.
      const wanting = entries.filter(({ open }) => open);
      const half = Math.ceil(wanting.length / 2);
      for (const part of [wanting.slice(0, half), wanting.slice(half)]) {
        if (part.length > 0) await carryOut(lane, part);
      }
    }
  };

  const pump = (lane: Lane<S>): void => {
    while (lane.inFlight < statementsInFlight) {
      const entries: Waiting[] = [];
      let taken = 0;
      while (taken < lane.waiting.length && entries.length < rowsPerStatement) {
        const entry = lane.waiting[taken++];
        if (entry?.open === true) entries.push(entry);
      }
      lane.waiting = lane.waiting.slice(taken);
      const [first] = entries;
      if (first === undefined) break;
      lane.inFlight += 1;
      hooks.onJoined?.({ rows: entries.length, waitedMs: performance.now() - first.since });
      // What is told of the statement belongs to the first of its callers, not to whoever made room for it.
      void first
        .within(() => carryOut(lane, entries))
        .finally(() => {
          lane.inFlight -= 1;
          pump(lane);
        });
    }
    if (lane.inFlight === 0 && lane.waiting.length === 0 && !lane.scheduled) lanes.delete(lane.key);
  };

  return (
    text: string,
    row: Record<string, unknown>,
    options: StatementOptions,
    scope?: S,
  ): Promise<Row | undefined> => {
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason);
    const key = keyOf(text, options);
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = { key, text, scope, nextNumber: firstNumber, inFlight: 0, scheduled: false, waiting: [] };
      lanes.set(key, lane);
    }
    const { entry, answer } = wait(lane, row, options, hooks.contextOf?.() ?? anywhere);
    lane.waiting.push(entry);
    if (!lane.scheduled && lane.inFlight < statementsInFlight) {
      // Rows asked for in the same turn of the event loop, such as the entries of a batch, go together.
      lane.scheduled = true;
      const opened = lane;
      setImmediate(() => {
        opened.scheduled = false;
        pump(opened);
      });
    }
    return answer;
  };
};

/** True when the rows have no part in the failure: the database is away, or the queue of the project is full. */
const isRefusedForAll = (error: unknown): boolean =>
  error instanceof Problem && ["unavailable", "too_many_requests"].includes(error.code);

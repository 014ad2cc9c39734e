import { Problem } from "@ikg/contracts";
import { isWriteRefused, StatementTimeout } from "./errors.ts";
import type { GraphHooks, Params, Row, StatementOptions } from "./types.ts";

/** Statements of one text under way at the same time: the second is filled while the first one runs. */
export const statementsInFlight = 2;
/** Rows of one statement at most: beyond that a longer statement gains nothing and delays its rows. */
export const rowsPerStatement = 256;
/**
 * Parts of failed statements of one text that are under way at the same time. Fresh rows do not wait for them: they do not count
 * as `statementsInFlight`, and are fewer than the heavy statements of a project that asks alone (docs/decisions/0019).
 */
export const retriesInFlight = 3;
/** A first attempt that has run for so long no longer keeps the next one back. Milliseconds. */
const slowMs = 250;
/** First attempts of one text at most that run on although they keep none back. */
const slowInFlight = 8;
/** Into how many parts the rows of a statement go that ran out of time: 256 rows are alone after two of its kind. */
const partsAfterTimeout = 16;
/** After any other failure the rows are halved: such a statement fails at once, so that further steps take no time. */
const partsAfterFailure = 2;
/** The shortest run: one that is stopped sooner says nothing about its rows. Milliseconds. */
const leastRunMs = 20;

/** How a joined statement is sent. */
export interface SendOptions extends StatementOptions {
  /**
   * Limit of the run itself in milliseconds, asked when it begins: shorter than `timeoutMs`, which bounds the wait for its
   * turn as well, so that rows which share the statement with a slow one have time left to be asked again.
   */
  readonly runMs: () => number;
}

/**
 * Sends one statement with these rows; `Database.read` in production.
 *
 * @param scope what the first of the rows was asked with: whose the statement is.
 */
export type SendRows<S = unknown> = (
  text: string,
  rows: readonly Params[],
  options: SendOptions,
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
  /** True when it ran by itself for less than its time, because others waited, and is asked once more. */
  isRepeated: boolean;
  /** Called when the caller stops waiting before an answer came. */
  onGone?: () => void;
  settle(answer: { row: Row | undefined } | { error: unknown }): void;
}

/** What waits and runs for one statement text, and for one state that it has to see. */
interface Lane<S> {
  readonly key: string;
  readonly text: string;
  /** A text belongs to one project, so all its rows have the same. */
  readonly scope: S | undefined;
  nextNumber: number;
  /** First attempts that keep the next one back. */
  inFlight: number;
  /** First attempts that have run for long and keep none back. */
  slow: number;
  /** Parts of failed statements that are under way, and those of them that have their turn. */
  retrying: number;
  retriesRunning: number;
  scheduled: boolean;
  waiting: Waiting[];
  /** Parts of failed statements that wait. */
  readonly retries: (readonly Waiting[])[];
}

/** NUL is in no text. */
const keyOf = (text: string, { after }: StatementOptions): string =>
  after === undefined ? text : `${text}\0${JSON.stringify(after)}`;

/**
 * Numbers of rows lie between the integers: the driver sends and reads such a number as it is, an integer as an object
 * that it computes with.
 */
const firstNumber = 0.5;

/** How often rows are asked until each is alone, when every statement with them runs out of time. */
const attemptsOf = (rows: number): number => {
  let attempts = 1;
  for (let left = rows; left > 1; left = Math.ceil(left / partsAfterTimeout)) attempts += 1;
  return attempts;
};

/**
 * An equal share of the time that is left for each attempt, and one for those that wait behind this one. The row with the least
 * time left says how much that is.
 */
const runLimitOf = (entries: readonly Waiting[], othersWait: boolean): number => {
  const open = entries.filter((entry) => entry.open);
  const earliest = Math.min(...open.map(({ deadline }) => deadline));
  const shares = attemptsOf(open.length) + (othersWait ? 1 : 0);
  return Math.max(leastRunMs, (earliest - performance.now()) / shares);
};

/** These rows in so many parts of about the same size. */
const partsOf = (entries: readonly Waiting[], count: number): (readonly Waiting[])[] => {
  const size = Math.ceil(entries.length / count);
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, part) =>
    entries.slice(part * size, (part + 1) * size),
  );
};

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
    isRepeated: false,
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
 * Joins rows of one statement text that wait at the same moment into one statement (docs/decisions/0004).
 * A text is part of the key and belongs to one project, so rows of two projects never meet; results are
 * handed out by number and never shared.
 *
 * A row that fails or takes too long fails alone: the rows of its statement are asked again in parts, as long as their callers
 * have time, until it has a statement to itself.
 *
 * @param hooks `onJoined` is told of every statement that is sent, not of the parts of one that failed.
 */
export const coalesce = <S>(send: SendRows<S>, hooks: Pick<GraphHooks, "onJoined" | "contextOf"> = {}) => {
  const lanes = new Map<string, Lane<S>>();

  /**
   * Sends rows as one statement; each has its answer afterwards, or waits among the retries of its lane.
   *
   * @param onRun called when the statement has its turn; true when others wait behind it that have less time than it may need.
   */
  const attempt = async (lane: Lane<S>, entries: readonly Waiting[], onRun: () => boolean): Promise<void> => {
    let othersWait = false;
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
          runMs: () => {
            othersWait = onRun();
            return runLimitOf(entries, othersWait);
          },
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
      const isTimeout = error instanceof StatementTimeout;
      const [first] = entries;
      if (isTimeout && entries.length === 1 && othersWait && first?.isRepeated === false) {
        first.isRepeated = true;
        lane.retries.push(entries);
        return;
      }
      if (entries.length === 1 || isRefusedForAll(error) || isWriteRefused(error)) {
        for (const entry of entries)
          entry.settle({ error: isTimeout ? new StatementTimeout(entry.options.timeoutMs, error) : error });
        return;
      }
      const wanting = entries.filter(({ open }) => open);
      if (wanting.length > 0)
        lane.retries.push(...partsOf(wanting, isTimeout ? partsAfterTimeout : partsAfterFailure));
    }
  };

  const startFirst = (lane: Lane<S>, entries: readonly Waiting[], first: Waiting): void => {
    lane.inFlight += 1;
    let isSlow = false;
    let timer: NodeJS.Timeout | undefined;
    const makeRoom = (): void => {
      if (lane.slow >= slowInFlight) {
        timer = setTimeout(makeRoom, slowMs);
        return;
      }
      isSlow = true;
      lane.slow += 1;
      lane.inFlight -= 1;
      pump(lane);
    };
    const onRun = (): boolean => {
      timer ??= setTimeout(makeRoom, slowMs);
      return false;
    };
    hooks.onJoined?.({ rows: entries.length, waitedMs: performance.now() - first.since });
    // What is told of the statement belongs to the first of its callers, not to whoever made room for it.
    void first
      .within(() => attempt(lane, entries, onRun))
      .finally(() => {
        clearTimeout(timer);
        if (isSlow) lane.slow -= 1;
        else lane.inFlight -= 1;
        pump(lane);
      });
  };

  const startRetry = (lane: Lane<S>, entries: readonly Waiting[], first: Waiting): void => {
    lane.retrying += 1;
    let isRunning = false;
    const onRun = (): boolean => {
      isRunning = true;
      lane.retriesRunning += 1;
      return lane.retries.length > 0 || lane.retriesRunning < lane.retrying;
    };
    void first
      .within(() => attempt(lane, entries, onRun))
      .finally(() => {
        lane.retrying -= 1;
        if (isRunning) lane.retriesRunning -= 1;
        pump(lane);
      });
  };

  const takeWaiting = (lane: Lane<S>): readonly Waiting[] => {
    const entries: Waiting[] = [];
    let taken = 0;
    while (taken < lane.waiting.length && entries.length < rowsPerStatement) {
      const entry = lane.waiting[taken++];
      if (entry?.open === true) entries.push(entry);
    }
    lane.waiting = lane.waiting.slice(taken);
    return entries;
  };

  const pump = (lane: Lane<S>): void => {
    while (lane.inFlight < statementsInFlight) {
      const entries = takeWaiting(lane);
      const [first] = entries;
      if (first === undefined) break;
      startFirst(lane, entries, first);
    }
    while (lane.retrying < retriesInFlight) {
      const part = lane.retries.shift();
      if (part === undefined) break;
      const entries = part.filter(({ open }) => open);
      const [first] = entries;
      if (first !== undefined) startRetry(lane, entries, first);
    }
    const underWay = lane.inFlight + lane.slow + lane.retrying;
    if (underWay === 0 && lane.waiting.length === 0 && !lane.scheduled) lanes.delete(lane.key);
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
      lane = {
        key,
        text,
        scope,
        nextNumber: firstNumber,
        inFlight: 0,
        slow: 0,
        retrying: 0,
        retriesRunning: 0,
        scheduled: false,
        waiting: [],
        retries: [],
      };
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

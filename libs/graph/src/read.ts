import neo4j, { type Driver, type ResultSummary, type Session, type SessionMode } from "neo4j-driver";
import { problemOf, StatementTimeout } from "./errors.ts";
import { parameters } from "./parameters.ts";
import { rowOf } from "./results.ts";
import type { Params, Row, StatementOptions } from "./types.ts";

/** What the server is told about a transaction: its limit, and whose it is. */
export const transactionConfig = ({ timeoutMs, requestId }: StatementOptions) => {
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  return requestId === undefined ? { timeout } : { timeout, metadata: { request_id: requestId } };
};

/** A database as statements are sent to it. */
export interface Source {
  readonly driver: Driver;
  readonly database: string;
  /** The constituent that it is; "" for the default database. */
  readonly part: string;
  /** Several servers may answer, and one may be behind another. */
  readonly clustered: boolean;
}

/**
 * A session for one call, which sees the state that its options name where a server could be behind it. All rows are wanted, so they
 * come in one flight: fetching in slices would add round trips. They are taken off the wire one by one; how many are held is
 * what the statement's LIMIT says.
 */
export const openSession = (
  { driver, database, clustered, part }: Source,
  defaultAccessMode: SessionMode,
  { after }: StatementOptions,
): Session =>
  driver.session({
    database,
    defaultAccessMode,
    fetchSize: -1,
    ...(clustered && after?.[part] !== undefined ? { bookmarks: [...after[part]] } : {}),
  });

type Plan = ResultSummary["profile"];

const hitsOfPlan = (plan: Plan): number =>
  plan === false || plan === undefined
    ? 0
    : plan.dbHits + plan.children.reduce((sum, child) => sum + hitsOfPlan(child), 0);

const hitsOf = ({ profile }: ResultSummary): number => hitsOfPlan(profile);

/** The driver takes a stack trace for every statement, to show with its errors; ours say what went wrong by themselves. */
export const withoutTrace = <T>(run: () => T): T => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
};

/**
 * Runs one auto-commit statement in READ mode. The limit is kept here and on the server; whichever comes first
 * ends the call, and closing the session stops a statement that still runs.
 *
 * @throws what `Database.read` says.
 */
export const runRead = (
  source: Source,
  text: string,
  params: Params,
  options: StatementOptions,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs, onWork } = options;
    signal?.throwIfAborted();
    const converted = parameters(params);
    const session = openSession(source, neo4j.session.READ, options);
    const rows: Row[] = [];
    let open = true;
    const end = (settle: () => void): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      session.close().catch(() => undefined);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => reject(new StatementTimeout(timeoutMs))), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const result = withoutTrace(() => session.run(text, converted, transactionConfig(options)));
      result.subscribe({
        onNext: (record) => {
          if (open) rows.push(rowOf(record));
        },
        onCompleted: (summary) => {
          onWork?.(hitsOf(summary));
          end(() => resolve(rows));
        },
        onError: (error) => end(() => reject(problemOf(error, timeoutMs))),
      });
    } catch (error) {
      end(() => reject(error));
    }
  });

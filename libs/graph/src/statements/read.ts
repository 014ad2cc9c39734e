import neo4j, { type Driver, type ResultSummary, type Session, type SessionMode } from "neo4j-driver";
import { problemOf, responseTooLarge, StatementTimeout } from "../errors.ts";
import { monitorResponse, type ResponseMonitor } from "../connections/response-monitor.ts";
import { createResponseBudget } from "../connections/response-budget.ts";
import { retryOverloaded } from "./overload.ts";
import { parameters } from "./parameters.ts";
import { planOperator } from "./plan.ts";
import { rowOf } from "./results.ts";
import type { Params, ResponseBudget, Row, StatementOptions } from "../types.ts";

/** Configuration of a transaction: its timeout, and the id of the request in the metadata. */
export const transactionConfig = ({ timeoutMs, requestId }: StatementOptions) => {
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  return requestId === undefined ? { timeout } : { timeout, metadata: { request_id: requestId } };
};

/** Options of a statement as it is sent. */
export interface SentOptions extends StatementOptions {
  /** Called when the server has planned the statement. */
  readonly onPlanned?: (() => void) | undefined;
  /** It has time to wait until other statements are planned. */
  readonly mayWait?: boolean;
}

/** A database as statements are sent to it. */
export interface Source {
  readonly driver: Driver;
  readonly database: string;
  /** The constituent that it is; "" for the default database. */
  readonly part: string;
  /** Several servers may answer, and one may be behind another. */
  readonly clustered: boolean;
  /** Bytes that may be held of the answers to a statement or transaction without a response budget of its own; undefined: any number. */
  readonly answerBytes?: number;
}

/** The response budget of a statement or transaction: its own, or that of its database. */
export const responseBudgetOf = (
  { answerBytes }: Source,
  { responseBudget }: StatementOptions,
): ResponseBudget | undefined =>
  responseBudget ??
  (answerBytes === undefined
    ? undefined
    : createResponseBudget(answerBytes, () => responseTooLarge(answerBytes)));

/**
 * A session for one call, which sees the state that its options name where a server could be behind it. All rows are fetched at once:
 * in slices they would take more round trips, and the driver requests the next slice of a statement that is stopped meanwhile, behind
 * the RESET, which the server refuses at the cost of the next statement on that connection. Rows are taken off the wire one by one;
 * the statement's LIMIT bounds their number, and its response budget their bytes.
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

/** The driver takes a stack trace for every statement, to show with its errors; the errors of this library explain themselves. */
export const withoutTrace = <T>(run: () => T): T => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
};

/** Stands for a row that was taken as it came. */
const taken: Row = {};

/**
 * Runs one auto-commit statement in READ mode, again if the server had no capacity for it. The limit is kept here and on the
 * server; whichever comes first ends the call, and closing the session stops a statement that still runs.
 *
 * @throws the errors of `Database.read`.
 */
export const runRead = (source: Source, text: string, params: Params, options: SentOptions): Promise<Row[]> =>
  retryOverloaded(options, (left) =>
    readOnce(source, text, params, { ...left, onPlanned: options.onPlanned }),
  );

const readOnce = (source: Source, text: string, params: Params, options: SentOptions): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs, onWork, onRow, onClosing } = options;
    signal?.throwIfAborted();
    const budget = responseBudgetOf(source, options);
    const converted = parameters(params);
    const session = openSession(source, neo4j.session.READ, options);
    const rows: Row[] = [];
    let monitor: ResponseMonitor | undefined;
    let open = true;
    const end = (settle: () => void, isCut = true): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (!isCut) monitor?.stop();
      const closing = session.close().catch(() => undefined);
      monitor?.cut(closing);
      if (isCut) onClosing?.(closing);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const take = (row: Row): void => {
      if (onRow === undefined) {
        rows.push(row);
        return;
      }
      try {
        rows.push(taken);
        if (!onRow(row)) end(() => resolve(rows));
      } catch (error) {
        end(() => reject(error));
      }
    };
    const timer = setTimeout(() => end(() => reject(new StatementTimeout(timeoutMs))), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const result = withoutTrace(() => session.run(text, converted, transactionConfig(options)));
      if (budget !== undefined)
        monitor = monitorResponse(session, neo4j.session.READ, budget, (error) => end(() => reject(error)));
      result.subscribe({
        onKeys: () => options.onPlanned?.(),
        onNext: (record) => {
          if (open) take(rowOf(record));
        },
        onCompleted: (summary) => {
          onWork?.(hitsOf(summary));
          const plan = summary.profile || summary.plan;
          if (plan) options.onPlan?.(planOperator(plan));
          end(() => resolve(rows), false);
        },
        onError: (error) => end(() => reject(problemOf(error, timeoutMs)), false),
      });
    } catch (error) {
      end(() => reject(error));
    }
  });

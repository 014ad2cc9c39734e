import { Problem } from "@ikg/contracts";
import { runAutoCommit } from "./auto-commit.ts";
import { coalesce, type SendOptions } from "./coalesce.ts";
import { isOldVersion, languagePrefix, versionQuery } from "./dialect.ts";
import { isCredentialWrong, OldServer, StatementTimeout, unavailable } from "./errors.ts";
import { runRead, type Source } from "./read.ts";
import { type RunOptions, runInSlot } from "./scheduling/in-slot.ts";
import type { StatementClass } from "./scheduling/statement-class.ts";
import type { ScheduledProject, Scheduler } from "./scheduling/types.ts";
import { noticeSlow } from "./slow.ts";
import type {
  Database,
  GraphHooks,
  Params,
  Row,
  StatementEvent,
  StatementOptions,
  Transaction,
} from "./types.ts";
import { runWrite } from "./write.ts";

/** Limit of the one question about the server's version; whoever needs the answer waits no longer than for a statement. */
const versionTimeoutMs = 30_000;

/** @throws StatementTimeout */
const within = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StatementTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whose a statement is. */
interface Owner {
  readonly project: ScheduledProject;
  readonly statementClass: StatementClass;
}

/** One database, as the platform and as its projects use it. */
export interface OpenDatabase {
  /** Statements of the platform: they are sent at once. */
  readonly platform: Database;
  /** Statements of a project, sent when it is their turn. */
  of(project: ScheduledProject, statementClass: StatementClass): Database;
}

/** By which the durations of write transactions are remembered: their statements are known only as they run. */
const writeText = (statementClass: StatementClass | undefined): string => `write ${statementClass}`;

/**
 * One database on one connection target.
 *
 * @param told of a server that cannot be used whenever it is asked again: every call is then Problem `unavailable` (503).
 */
export const openDatabase = (
  source: Source,
  scheduler: Scheduler,
  hooks: GraphHooks,
  told: Pick<GraphHooks, "onOldServer" | "onCredentialWrong"> = {},
): OpenDatabase => {
  let prefix: string | undefined;
  let asking: Promise<string> | undefined;

  const notice = noticeSlow(source, hooks);
  const observe = (event: StatementEvent): void => {
    hooks.onStatement?.(event);
    notice(event);
  };

  /** Asked once; asked again after the connection was lost, for the server may have been replaced. */
  const learnPrefix = async ({ timeoutMs }: StatementOptions): Promise<string> => {
    asking ??= runRead(source, versionQuery, {}, { timeoutMs: versionTimeoutMs })
      .then(([row]) => {
        const version = String(row?.["version"]);
        if (isOldVersion(version)) {
          told.onOldServer?.(version);
          throw unavailable(new OldServer(version));
        }
        return (prefix = languagePrefix(version));
      })
      .finally(() => (asking = undefined));
    try {
      return await within(asking, timeoutMs);
    } catch (error) {
      judge(error);
      throw error instanceof StatementTimeout ? unavailable(error) : error;
    }
  };

  /** The prefix of this server, and the options with what is left of their time. */
  const begin = async (options: RunOptions): Promise<readonly [prefix: string, RunOptions]> => {
    if (prefix !== undefined) return [prefix, options];
    const started = performance.now();
    const learned = await learnPrefix(options);
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - started));
    return [learned, { ...options, timeoutMs }];
  };

  /** What a failure says of the server. */
  const judge = (error: unknown): void => {
    // Whether a server is there is asked before anything else is sent to it whose outcome could get lost.
    if (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code))
      prefix = undefined;
    if (isCredentialWrong(error)) told.onCredentialWrong?.();
  };

  /** Runs one statement behind the prefix of its server; tells of it, and judges its failure. */
  const run = async (
    statement: (before: string, options: RunOptions) => Promise<Row[]>,
    text: string,
    given: RunOptions,
  ): Promise<Row[]> => {
    const [before, options] = await begin(given);
    const started = performance.now();
    let rows: Row[] | undefined;
    try {
      return (rows = await statement(before, options));
    } catch (error) {
      judge(error);
      throw error;
    } finally {
      const ms = performance.now() - started;
      const { requestId } = options;
      observe({ text, ms, rows: rows?.length ?? 0, failed: rows === undefined, requestId });
    }
  };

  /** Runs a statement or transaction when it is the turn of its owner; at once when it is the platform's. */
  const inTurn = <T>(
    owner: Owner | undefined,
    text: string,
    options: StatementOptions,
    work: (options: RunOptions) => Promise<T>,
  ): Promise<T> => {
    if (owner === undefined) return work(options);
    const { timeoutMs, signal } = options;
    const slot = scheduler.acquire({ ...owner, text, timeoutMs, signal });
    // Without a promise in between where the slot is free.
    return slot instanceof Promise
      ? slot.then((each) => runInSlot(each, options, work))
      : runInSlot(slot, options, work);
  };

  const read = (
    owner: Owner | undefined,
    text: string,
    params: Params,
    options: StatementOptions & Partial<SendOptions>,
  ): Promise<Row[]> => {
    const { runMs, ...limits } = options;
    const counted = limits.onWork === undefined ? text : `PROFILE ${text}`;
    return inTurn(owner, text, limits, (left) =>
      run(
        (before, rest) => {
          const timeoutMs = Math.min(rest.timeoutMs, runMs?.() ?? Infinity);
          return runRead(source, before + counted, params, { ...rest, timeoutMs });
        },
        text,
        left,
      ),
    );
  };

  const write = async <T>(work: (tx: Transaction) => Promise<T>, given: RunOptions): Promise<T> => {
    const [before, options] = await begin(given);
    try {
      return await runWrite({ ...source, prefix: before, observe }, work, options);
    } catch (error) {
      judge(error);
      throw error;
    }
  };

  const readRow = coalesce<Owner>(
    (text, rows, options, owner) => read(owner, text, { rows }, options),
    hooks,
  );

  const open = (owner: Owner | undefined): Database => ({
    read: (text, params, options) => read(owner, text, params, options),
    write: (work, options) =>
      inTurn(owner, writeText(owner?.statementClass), options, (left) => write(work, left)),
    writeOnce: (text, params, options) =>
      inTurn(owner, text, options, (left) =>
        run(
          (before, rest) => runAutoCommit({ ...source, prefix: before, observe }, text, params, rest),
          text,
          left,
        ),
      ),
    readRow: (text, row, options) => readRow(text, row, options, owner),
  });

  return {
    platform: open(undefined),
    of: (project, statementClass) => open({ project, statementClass }),
  };
};

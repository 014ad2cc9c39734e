import { runAutoCommit } from "./auto-commit.ts";
import { coalesce } from "./coalesce.ts";
import type { SendOptions } from "./coalesce-lane.ts";
import { runRead, type Source } from "./read.ts";
import { runInSlot } from "../scheduling/in-slot.ts";
import { type StatementClass, writeText } from "../scheduling/statement-class.ts";
import type { ScheduledProject, Scheduler } from "../scheduling/types.ts";
import { type ServerHooks, ServerLanguage } from "../connections/server-language.ts";
import { reportSlow } from "./slow.ts";
import type {
  Database,
  GraphHooks,
  Params,
  Row,
  StatementEvent,
  StatementOptions,
  Transaction,
} from "../types.ts";
import { runWrite } from "./write.ts";

/** The project that a statement belongs to, and its class. */
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

/** Reads rows, each joined with others of its text. */
type ReadRow = ReturnType<typeof coalesce<Owner>>;

/** Rows that one statement joins. */
const rowsOf = ({ rows }: Params): number | undefined => (Array.isArray(rows) ? rows.length : undefined);

/** Sends the statements of one database: each in the turn of its owner, behind the prefix of its server. */
class Statements {
  readonly #source: Source;
  readonly #scheduler: Scheduler;
  readonly #language: ServerLanguage;
  readonly #observe: (event: StatementEvent) => void;

  constructor(
    source: Source,
    scheduler: Scheduler,
    language: ServerLanguage,
    observe: (event: StatementEvent) => void,
  ) {
    this.#source = source;
    this.#scheduler = scheduler;
    this.#language = language;
    this.#observe = observe;
  }

  read(
    owner: Owner | undefined,
    text: string,
    params: Params,
    options: StatementOptions & Partial<SendOptions>,
  ): Promise<Row[]> {
    const { runMs, ...limits } = options;
    const profiled = limits.onWork === undefined ? text : `PROFILE ${text}`;
    return this.#inTurn(owner, text, { rows: rowsOf(params), ...limits }, (left) =>
      this.#run(
        (prefix, rest) => {
          const timeoutMs = Math.min(rest.timeoutMs, runMs?.() ?? Infinity);
          return runRead(this.#source, prefix + profiled, params, { ...rest, timeoutMs });
        },
        text,
        left,
      ),
    );
  }

  write<T>(
    owner: Owner | undefined,
    work: (tx: Transaction) => Promise<T>,
    options: StatementOptions,
  ): Promise<T> {
    return this.#inTurn(owner, writeText(owner?.statementClass), options, async (left) => {
      const [prefix, rest] = await this.#language.prefix(left);
      try {
        return await runWrite(this.#target(prefix), work, rest);
      } catch (error) {
        this.#language.noteFailure(error);
        throw error;
      }
    });
  }

  writeOnce(
    owner: Owner | undefined,
    text: string,
    params: Params,
    options: StatementOptions,
  ): Promise<Row[]> {
    return this.#inTurn(owner, text, { rows: rowsOf(params), ...options }, (left) =>
      this.#run((prefix, rest) => runAutoCommit(this.#target(prefix), text, params, rest), text, left),
    );
  }

  #target(prefix: string) {
    return { ...this.#source, prefix, observe: this.#observe };
  }

  /** Runs a statement or transaction when it is the turn of its owner; at once when it is the platform's. */
  #inTurn<T>(
    owner: Owner | undefined,
    text: string,
    options: StatementOptions,
    work: (options: StatementOptions) => Promise<T>,
  ): Promise<T> {
    if (owner === undefined) return work(options);
    const { rows, timeoutMs, signal } = options;
    const slot = this.#scheduler.acquire({ ...owner, text, rows, timeoutMs, signal });
    // Without a promise in between where the slot is free.
    return slot instanceof Promise
      ? slot.then((each) => runInSlot(each, options, work))
      : runInSlot(slot, options, work);
  }

  /** Runs one statement behind the prefix of its server; reports it, and notes its failure. */
  async #run(
    statement: (prefix: string, options: StatementOptions) => Promise<Row[]>,
    text: string,
    given: StatementOptions,
  ): Promise<Row[]> {
    const [prefix, options] = await this.#language.prefix(given);
    const started = performance.now();
    let rows: Row[] | undefined;
    try {
      return (rows = await statement(prefix, options));
    } catch (error) {
      this.#language.noteFailure(error);
      throw error;
    } finally {
      const ms = performance.now() - started;
      const { requestId } = options;
      this.#observe({ text, ms, rows: rows?.length ?? 0, failed: rows === undefined, requestId });
    }
  }
}

/**
 * One database on one connection target.
 *
 * @param serverHooks called at each attempt to use a server that cannot be used: every call is then Problem
 *   `unavailable` (503).
 */
export const openDatabase = (
  source: Source,
  scheduler: Scheduler,
  hooks: GraphHooks,
  serverHooks: ServerHooks = {},
): OpenDatabase => {
  const reportIfSlow = reportSlow(source, hooks);
  const statements = new Statements(source, scheduler, new ServerLanguage(source, serverHooks), (event) => {
    hooks.onStatement?.(event);
    reportIfSlow(event);
  });
  /** Rows of different classes are not joined: a decision would wait, and be paced, as the background work that it joined. */
  const rowReaders = new Map<StatementClass | undefined, ReadRow>();
  const rowReaderOf = (statementClass: StatementClass | undefined): ReadRow => {
    let reader = rowReaders.get(statementClass);
    if (reader === undefined) {
      reader = coalesce<Owner>(
        (text, rows, options, owner) => statements.read(owner, text, { rows }, options),
        hooks,
      );
      rowReaders.set(statementClass, reader);
    }
    return reader;
  };
  const databaseOf = (owner: Owner | undefined): Database => {
    const readRow = rowReaderOf(owner?.statementClass);
    return {
      read: (text, params, options) => statements.read(owner, text, params, options),
      write: (work, options) => statements.write(owner, work, options),
      writeOnce: (text, params, options) => statements.writeOnce(owner, text, params, options),
      readRow: (text, row, options) => readRow(text, row, options, owner),
    };
  };
  return {
    platform: databaseOf(undefined),
    of: (project, statementClass) => databaseOf({ project, statementClass }),
  };
};

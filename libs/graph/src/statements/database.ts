import { runAutoCommit } from "./auto-commit.ts";
import { coalesce } from "./coalesce.ts";
import type { SendOptions } from "./coalesce-lane.ts";
import { type EndPlanning, FirstPlans, type PlanKey, planKey } from "./first-plans.ts";
import { limitRun } from "./limit-run.ts";
import { runRead, type SentOptions, type Source } from "./read.ts";
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

/** One statement outside of a transaction. */
interface Statement {
  readonly owner: Owner | undefined;
  readonly text: string;
  readonly key: PlanKey;
  readonly runMs?: (() => number) | undefined;
}

/** Sends one statement behind the prefix of its server. */
type Send = (options: SentOptions) => Promise<Row[]>;

/** Look-ups, which every request waits for, have less time. Milliseconds. */
const waitingMs = 10_000;
/** Only statements of the platform wait for plans of others: those of projects may take any time to be planned. */
const canWait = (owner: Owner | undefined, { timeoutMs }: StatementOptions): boolean =>
  owner === undefined && timeoutMs >= waitingMs;

const withinRun = (options: SentOptions, runMs: (() => number) | undefined): SentOptions =>
  runMs === undefined ? options : { ...options, timeoutMs: Math.min(options.timeoutMs, runMs()) };

/** Rows that one statement joins. */
const rowsOf = ({ rows }: Params): number | undefined => (Array.isArray(rows) ? rows.length : undefined);

/** Sends the statements of one database: each in the turn of its owner, behind the prefix of its server. */
class Statements {
  readonly #source: Source;
  readonly #scheduler: Scheduler;
  readonly #language: ServerLanguage;
  readonly #observe: (event: StatementEvent) => void;
  readonly #firstPlans = new FirstPlans();

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
    const statement = { owner, text, key: planKey(profiled, params), runMs };
    return this.#inTurn(owner, text, { rows: rowsOf(params), ...limits }, (left) =>
      this.#run(statement, left, (prefix, sent) => runRead(this.#source, prefix + profiled, params, sent)),
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
        return await runWrite(this.#target(prefix), work, { ...rest, mayWait: canWait(owner, left) });
      } catch (error) {
        this.#noteFailure(error);
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
    const statement = { owner, text, key: planKey(text, params) };
    return this.#inTurn(owner, text, { rows: rowsOf(params), ...options }, (left) =>
      this.#run(statement, left, (prefix, sent) => runAutoCommit(this.#target(prefix), text, params, sent)),
    );
  }

  #target(prefix: string) {
    return { ...this.#source, prefix, firstPlans: this.#firstPlans, observe: this.#observe };
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

  #noteFailure(error: unknown): void {
    if (this.#language.noteFailure(error)) this.#firstPlans.clear();
  }

  /** Runs one statement behind the prefix of its server, after an equal one that is planned now. */
  async #run(
    { owner, text, key, runMs }: Statement,
    left: StatementOptions,
    run: (prefix: string, sent: SentOptions) => Promise<Row[]>,
  ): Promise<Row[]> {
    const [prefix, rest] = await this.#language.prefix(left);
    const send: Send = (sent) => run(prefix, sent);
    if (this.#firstPlans.isPlanned(key)) return this.#observed(text, withinRun(rest, runMs), send);
    const [endPlanning, sent] = await this.#turnOf(key, { ...rest, mayWait: canWait(owner, left) });
    if (endPlanning === undefined) return this.#observed(text, withinRun(sent, runMs), send);
    return limitRun(sent, runMs, (each) => this.#observed(text, each, send)).finally(() =>
      endPlanning("failed"),
    );
  }

  /** Waits while an equal statement is planned; then the options with what is left of the time. */
  async #turnOf(
    key: PlanKey,
    options: SentOptions,
  ): Promise<readonly [EndPlanning | undefined, SentOptions]> {
    const started = performance.now();
    const turn = this.#firstPlans.turn(key, options);
    const hasWaited = turn instanceof Promise;
    const endPlanning = hasWaited ? await turn : turn;
    const onPlanned = endPlanning && (() => endPlanning("planned"));
    if (!hasWaited) return [endPlanning, { ...options, onPlanned }];
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - started));
    return [endPlanning, { ...options, timeoutMs, onPlanned }];
  }

  /** Sends one statement; reports it, and notes its failure. */
  async #observed(text: string, options: SentOptions, send: Send): Promise<Row[]> {
    const started = performance.now();
    let rows: Row[] | undefined;
    try {
      return (rows = await send(options));
    } catch (error) {
      this.#noteFailure(error);
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

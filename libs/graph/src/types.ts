import type { HeavySlots, SharedRate } from "@ikg/concurrency";
import type { StatementLimits } from "./scheduling/types.ts";
import type { PlanOperator } from "./statements/plan.ts";
import type { LongStatements } from "./scheduling/long-statements.ts";
import type { StatementClass } from "./scheduling/statement-class.ts";
import type { SchedulerHooks } from "./scheduling/types.ts";

/** Where the graph lives. */
export interface GraphSettings {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /** Always named: without a name the driver resolves the home database first. Default `neo4j`. */
  readonly database?: string;
  /** Connections to this target at most; default 50. */
  readonly poolSize?: number;
  /** Class of the statements of projects unless `Graph.of` sets one; default `query`. */
  readonly statementClass?: StatementClass | undefined;
  /** Heavy statements of projects at once while several ask; default half the processors of this machine. */
  readonly heavyStatements?: number | undefined;
  /** Statements of one project that wait at most; default 2,000. */
  readonly queueLength?: number | undefined;
  /** How long a statement waits for its turn at most, in milliseconds; default 10,000. */
  readonly queueMs?: number | undefined;
  /**
   * How long the version of the data of a project's own database counts as known, in milliseconds, and twice as long while it
   * cannot be read again; default 60,000.
   */
  readonly ownSchemaAgeMs?: number | undefined;
}

/** Address of a project's own database, and the credential to use there. */
export interface Connection {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Name of the database on that server; default `neo4j`. */
  readonly name?: string | undefined;
}

/** Counts the statements that wait for their turn now. */
export interface WaitingCounts {
  byClass(): Readonly<Record<StatementClass, number>>;
  byProject(): ReadonlyMap<string, number>;
}

/** The fields of a project that locate its graph. */
export interface ProjectGraph {
  readonly id: string;
  /** As in `ScheduledProject`. */
  readonly organizationId?: string | undefined;
  /** Key of the project in the shared database; empty for a project with a database of its own. */
  readonly pk: string;
  readonly connection?: Connection | undefined;
  readonly composite?: CompositeGraph | undefined;
  readonly limits?: StatementLimits | undefined;
}

/** A graph that is spread over several databases. */
export interface CompositeGraph {
  /** Name of the composite database. */
  readonly database: string;
  /** Connection of each constituent; empty where the server of the project itself reaches them all. */
  readonly connections: ReadonlyMap<string, Connection>;
}

/** A part of a composite graph: one constituent by its name, or the composite database itself. */
export type DatabasePart = { readonly constituent: string } | "composite";

/** Plain values: strings, booleans, null, numbers, arrays, plain objects. Safe integers go out as integers. */
export type Params = Readonly<Record<string, unknown>>;

/** One result row by column: plain numbers; nodes, relationships and paths are the driver's objects. */
export type Row = Readonly<Record<string, unknown>>;

/** Bounds the bytes of the answers to a statement, counted before the driver decodes them. */
export interface ResponseBudget {
  /** A statement or a try of a transaction begins; what came before is no longer held. */
  begin(): void;
  /**
   * Called with the bytes that have arrived.
   *
   * @returns a promise while no more may be read; what it rejects with, and what is thrown, ends the statement.
   */
  consume(bytes: number): Promise<void> | undefined;
}

export interface StatementOptions {
  /** Limit of the whole call in milliseconds, waiting for its turn and for a connection included. */
  readonly timeoutMs: number;
  /** Ends the call: the statement is stopped on the server and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Shown by SHOW TRANSACTIONS. */
  readonly requestId?: string | undefined;
  /** Number of rows that a transaction writes: its duration is learnt for each order of magnitude. A statement has those of its parameter `rows`. */
  readonly rows?: number | undefined;
  /** What the call has to see at least. On one server it sees every write anyway, and nothing is waited for. */
  readonly after?: Bookmarks | undefined;
  /** Called when a write is committed: what later reads name to see it. */
  readonly onCommit?: ((bookmarks: Bookmarks) => void) | undefined;
  /** Bounds the bytes of the answers. A write whose commit is under way is not ended by it. */
  readonly responseBudget?: ResponseBudget | undefined;
  /**
   * Takes the rows of a read as they come: they are not kept, and the read answers empty ones. False ends the statement: the
   * rows so far are enough. What it throws ends the read.
   */
  readonly onRow?: ((row: Row) => boolean) | undefined;
  /** Makes the database count what a read costs; called with its database hits. Slows the statement down. */
  readonly onWork?: ((hits: number) => void) | undefined;
  /**
   * Called for a statement that is stopped, with a promise that settles when the server has ended it: until then it may still be
   * planned. That of a project's statement settles within a minute in any case.
   */
  readonly onClosing?: ((closing: Promise<unknown>) => void) | undefined;
  /** Called with the plan of a read whose text asks for it (`EXPLAIN`), or that is counted by `onWork`. */
  readonly onPlan?: ((plan: PlanOperator) => void) | undefined;
}

/** States of the databases of one graph, as the server names them: by constituent, "" for the default database. */
export type Bookmarks = Readonly<Record<string, readonly string[]>>;

/** An open write transaction. */
export interface Transaction {
  /** Runs one statement. Statements started together are sent in one flight and run in the order of the calls. */
  run(text: string, params: Params): Promise<Row[]>;
}

export interface Database {
  /**
   * One auto-commit statement in READ mode: one round trip, and the server refuses every write in it. One that the server
   * has no memory or thread for at the moment is tried again within its limit, unless it ran for long.
   *
   * @throws StatementTimeout, MemoryLimitExceeded for a statement that needs more memory than one transaction may use, Problem
   *   `unavailable` (503) without a connection, Problem `internal` (500) when the database refuses the statement, the
   *   signal's reason when aborted.
   */
  read(text: string, params: Params, options: StatementOptions): Promise<Row[]>;

  /**
   * One write transaction. Deadlocks and other transient failures are retried, at most 10 tries, 60 where the server has no
   * memory left for it, so `work` may run several times and must have no other effects.
   *
   * @throws the errors of `read`; Problem `commit_unknown` (500) when the commit was sent and its answer never came;
   *   whatever `work` throws, after the rollback.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options: StatementOptions): Promise<T>;

  /**
   * One statement that writes and returns a row, as one auto-commit transaction: one round trip, where `write` takes two. It
   * is tried once. A connection that is lost meanwhile leaves it open whether it was carried out.
   *
   * @throws the errors of `write`; Problem `unavailable` (503) after a deadlock.
   */
  writeOnce(text: string, params: Params, options: StatementOptions): Promise<Row[]>;

  /**
   * One row of a statement that answers many: rows of one text that wait at the same moment go out together.
   * The text begins with `UNWIND $rows AS row` and returns `row.i AS i` in addition to its columns.
   *
   * @param row is taken over: its member `i` is set.
   * @returns the first result row of this parameter row, undefined if it has none.
   * @throws the errors of `read`. A failure of another row, and its taking too long, never reaches this one.
   */
  readRow(text: string, row: Record<string, unknown>, options: StatementOptions): Promise<Row | undefined>;
}

export interface Graph {
  /** The database that projects share, for statements of the platform: they never wait for those of projects. */
  readonly shared: Database;
  /**
   * The database of one project, or of a part of its composite graph. Its statements are scheduled: they may wait, and
   * when they waited for too long they fail with Problem `too_many_requests` (429) or `unavailable` (503), never sent.
   * They fail with `unavailable` as well where this build does not understand the data of a project's own database.
   *
   * @param statementClass default: that of `GraphSettings`.
   * @throws Problem `unavailable` (503) for a database of its own, or a part, whose connection is not known.
   */
  of(project: ProjectGraph, part?: DatabasePart, statementClass?: StatementClass): Database;
  /**
   * The same without a check of the version of its data: for what migrates databases, and for what takes them.
   *
   * @throws Problem `unavailable` (503) for a database whose connection is not known, as `of`.
   */
  ofAnyVersion(project: ProjectGraph, part?: DatabasePart, statementClass?: StatementClass): Database;
  /** Ends the connections to the own database of a project that is gone, once its calls are over. */
  release(projectId: string): void;
  /** True when the shared database answers within 2 seconds, with data of a version that this build understands. */
  ready(): Promise<boolean>;
  /**
   * Passes for data of a version that this build understands, and for a database that was not prepared yet.
   *
   * @throws SchemaMismatch with one line for an operator; Error with one line when the server cannot be reached or refuses the credentials.
   */
  checkSchema(): Promise<void>;
  /**
   * Checks the version of the data, creates missing constraints and indexes, and waits until they serve reads.
   * Idempotent.
   *
   * @throws SchemaMismatch with one line for an operator; Error with one line when the server cannot be reached or refuses the credentials.
   */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** What one statement sent to the server cost; for metrics and the log of slow statements. */
export interface StatementEvent {
  readonly text: string;
  readonly ms: number;
  readonly rows: number;
  readonly failed: boolean;
  readonly requestId?: string | undefined;
}

/** A statement that took long: its text without literals, and the operators of its plan. */
export interface SlowStatement extends Omit<StatementEvent, "text"> {
  readonly statement: string;
  /** Undefined when it is not available. */
  readonly plan: string | undefined;
}

/** Connections of drivers at one moment. */
export interface Connections {
  readonly inUse: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

/** Data of a project's own database that this build does not understand, or understands again. */
export interface OwnSchemaEvent {
  readonly projectId: string;
  /** Undefined for the default database. */
  readonly constituent: string | undefined;
  /** Why it is not understood; undefined where it is again. */
  readonly reason: string | undefined;
}

/** Callbacks about the work of a graph. */
export interface GraphHooks extends SchedulerHooks {
  onStatement?(event: StatementEvent): void;
  /** Called for a server of the shared database that is older than 5.26: no statement is sent to it. */
  onOldServer?(version: string): void;
  /** Called when the server of the shared database rejects the user name or the password. */
  onCredentialWrong?(): void;
  /** Called with the version of the data of the shared database, whenever it is read. */
  onSchema?(version: number): void;
  /** Called when this build must not work on the data of the shared database, with the reason. */
  onUnreadable?(reason: string): void;
  /** Called when the data of a project's own database turns out not to be understood, and when that is over. */
  onOwnSchema?(event: OwnSchemaEvent): void;
  /** Called when no TLS connection to the shared database is made. @param fault why, in words that follow its name */
  onTlsFault?(fault: string): void;
  /** From which duration on a statement is slow. */
  readonly slowMs?: number | undefined;
  onSlow?(slow: SlowStatement): void;
  /** Rows that went out as one statement, and how long the first of them had waited. */
  onJoined?(joined: { readonly rows: number; readonly waitedMs: number }): void;
  /**
   * Runs work in the asynchronous context of the current caller: a statement for several callers is reported
   * as the first one's. Absent where no trace reads that context, since it adds a cost to every row.
   */
  readonly contextOf?: (() => <T>(work: () => T) => T) | undefined;
  /** @param look counts the connections to the shared database and to those that projects bring. */
  onOpened?(look: () => Readonly<Record<"shared" | "own", Connections>>): void;
  onScheduling?(waiting: WaitingCounts): void;
  /** Heavy statements on the shared database, counted over all processes. */
  readonly heavySlots?: HeavySlots | undefined;
  /** Time of long statements on the shared database, added up over all processes. */
  readonly longStatements?: LongStatements | undefined;
  /** Database time of projects in a second on the shared database, counted over all processes. */
  readonly databaseTime?: SharedRate | undefined;
}

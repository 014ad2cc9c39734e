import type { Clock, HeavySlots, SharedRate } from "@ikg/concurrency";
import type { Capacity } from "./capacity.ts";
import type { LongStatements } from "./long-statements.ts";
import type { StatementLimit } from "./refusals.ts";
import type { StatementClass } from "./statement-class.ts";

/** Limits of the statements of a project. */
export interface StatementLimits {
  /** Most statements in flight at one time in one process. */
  readonly concurrent_statements: number;
  /**
   * Milliseconds that they may take per second in total, of all processes that share it, while statements of other projects wait;
   * unset: no limit.
   */
  readonly database_ms_per_second?: number | undefined;
}

/** The project that a statement belongs to. */
export interface ScheduledProject {
  readonly id: string;
  /**
   * The projects of an organization share with one another before they share with those of other organizations. Unset: the organization
   * that an earlier call stated, otherwise one of its own.
   */
  readonly organizationId?: string | undefined;
  /** Limits of its statements. Unset: those that an earlier call stated, otherwise none. */
  readonly limits?: StatementLimits | undefined;
}

/** A statement, or a write transaction, that is ready to be sent. */
export interface StatementRequest {
  readonly project: ScheduledProject;
  readonly statementClass: StatementClass;
  /** The statement; its duration is remembered by this text and the order of magnitude of its rows. */
  readonly text: string;
  /** Number of rows that it joins or writes, where that is known. */
  readonly rows?: number | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * How a statement ended: by itself or by its limit; `stopped` for its caller, who left; `unmeasured` where how long it took says nothing of it,
 * because the database could not be reached.
 */
export type StatementEnd = "ended" | "stopped" | "unmeasured";

/** Permits one statement, or one write transaction, in flight. */
export interface Slot {
  /** Milliseconds that the statement waited. */
  readonly waitedMs: number;
  /** Gives the slot back, once. */
  release(end: StatementEnd): void;
}

/** A statement that was refused before it was sent. */
export interface RefusedStatement {
  readonly statementClass: StatementClass;
  readonly limit: StatementLimit;
  readonly projectId: string;
  /** True for overload by the project itself (429), false for overload of the database (503). */
  readonly isOwnLoad: boolean;
}

export interface SchedulerHooks {
  /** Called for every statement that had to wait and was then started. */
  onWaited?(statementClass: StatementClass, waitedMs: number): void;
  onRefused?(refused: RefusedStatement): void;
  /** Called for every statement that ended, with how long it was in flight. */
  onEnded?(projectId: string, ms: number): void;
}

export interface SchedulerSettings {
  readonly capacity: Capacity;
  /** Waiting statements of one project at most. */
  readonly queueLength: number;
  /** How long a statement may wait, in milliseconds; one of the class `background` as long as its own timeout. */
  readonly queueMs: number;
  readonly clock?: Clock | undefined;
  /** Shared with the other processes; without them heavy statements are bounded in this one alone. */
  readonly heavySlots?: HeavySlots | undefined;
  /** Shared with the other processes; without it long statements keep to the pace of their project in this one alone. */
  readonly longStatements?: LongStatements | undefined;
  /** Shared with the other processes; without it the database time of projects counts in this one alone. */
  readonly databaseTime?: SharedRate | undefined;
}

export interface Scheduler {
  /**
   * A slot for a statement: itself when one is free, otherwise a promise.
   *
   * @throws (as a rejection) Problem `too_many_requests` (429) or `unavailable` (503), both with `Retry-After`, when a queue is
   *   full or the statement waited for too long; the reason of its signal. It was not sent then.
   */
  acquire(request: StatementRequest): Slot | Promise<Slot>;
  /** Waiting statements by class. */
  waiting(): Readonly<Record<StatementClass, number>>;
  /** Projects with waiting statements, and how many. */
  waitingOfProjects(): ReadonlyMap<string, number>;
}

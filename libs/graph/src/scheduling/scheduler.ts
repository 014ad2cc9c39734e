import { type Clock, type HeavySlot, type HeavySlots, systemClock } from "@ikg/concurrency";
import { longMs } from "./capacity.ts";
import type { ExpectedCost } from "./estimates.ts";
import type { LongStatementUpdate } from "./long-statements.ts";
import type { ProjectShare, WaitingStatement } from "./project-share.ts";
import { ProjectShares } from "./project-shares.ts";
import {
  allQueuesFull,
  databaseTimeExceeded,
  type LoadOwner,
  queueFull,
  type QueueLimit,
  queueTimeout,
} from "./refusals.ts";
import { charge } from "./round-robin.ts";
import type { StatementClass } from "./statement-class.ts";
import { Turns } from "./turns.ts";
import type { Scheduler, SchedulerHooks, SchedulerSettings, Slot, StatementRequest } from "./types.ts";
import { type RunningStatement, Usage } from "./usage.ts";
import { noneWaiting } from "./waiting-counts.ts";

/** Requests about records are those of an organization. */
const ownerOf = (statementClass: StatementClass): LoadOwner =>
  statementClass === "administration" ? "organization" : "project";

/** Waiting statements of one organization and of all at most, as multiples of those of one project. */
const queuesOfOrganization = 5;
const queuesInTotal = 10;
/**
 * How often the queues are served although no statement ends: a project may have become the only active one, and other
 * processes release slots of heavy statements.
 */
const pollMs = 50;
/** A wait that ended sooner, by the limit of its call, does not tell whose statements were in the way. Milliseconds. */
const shortWaitMs = 1_000;
/** Milliseconds for which activity of other projects in other processes counts. */
const remoteActivityMs = 2_000;
/** Slot of a statement that could not be counted. */
const uncountedSlot: HeavySlot = { release: () => undefined };

/**
 * Schedules the statements of projects on one database, for one process. A statement of a project within its share starts at once;
 * others wait in the queue of their project. Queues are served by deficit round robin over measured database time, first between
 * organizations and then between the projects of one. A heavy statement also needs one of the slots that all processes share. Statements of the platform are not scheduled: connections
 * are kept for them.
 */
class DatabaseScheduler implements Scheduler {
  readonly #settings: SchedulerSettings;
  readonly #hooks: SchedulerHooks;
  readonly #clock: Clock;
  readonly #heavySlots: HeavySlots | undefined;
  readonly #turns = new Turns();
  readonly #shares: ProjectShares;
  readonly #usage: Usage;
  readonly #waiting = noneWaiting();
  #cancelPoll: (() => void) | undefined;
  /** When the database last ended a statement. */
  #endedAt = -Infinity;
  /** One slot is requested at a time. */
  #isAcquiringSlot = false;

  constructor(settings: SchedulerSettings, hooks: SchedulerHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
    this.#clock = settings.clock ?? systemClock;
    this.#heavySlots = settings.heavySlots;
    this.#shares = new ProjectShares(settings.capacity, this.#turns);
    this.#usage = new Usage(settings.capacity);
    settings.longStatements?.follow(this.#noteElsewhere);
  }

  acquire(request: StatementRequest): Slot | Promise<Slot> {
    const { project, statementClass, text, rows, signal } = request;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const now = this.#clock.now();
    const share = this.#shares.of(project, now);
    this.#usage.touch(share, now);
    // A request about records takes nothing from the statements of projects.
    if (statementClass !== "administration") this.#heavySlots?.announce(share);
    this.#promote(now);
    const waitForTimeMs = statementClass === "background" ? 0 : this.#waitForTimeMs(share, now);
    if (waitForTimeMs > 0) return Promise.reject(this.#shareRefusal(request, share, waitForTimeMs));
    const expected = share.estimates.of({ text, rows, statementClass });
    const { weight } = expected;
    // Statements of other projects that wait may not be started now, so this one takes nothing from them.
    const needsHeavySlot = weight === "heavy" && this.#heavySlots !== undefined;
    if (!needsHeavySlot && !share.hasWaiting(weight) && this.#hasCapacity({ share, expected }))
      return this.#start({ share, statementClass, text, rows, expected }, 0);
    const limit = this.#exceededLimit(share);
    return limit === undefined
      ? this.#enqueue(request, share, expected)
      : Promise.reject(this.#refusal(request, limit));
  }

  waiting(): Readonly<Record<StatementClass, number>> {
    return { ...this.#waiting };
  }

  waitingOfProjects(): ReadonlyMap<string, number> {
    return this.#shares.waiting();
  }

  #start(
    {
      share,
      statementClass,
      text,
      rows,
      expected,
    }: Pick<WaitingStatement, "share" | "statementClass" | "text" | "rows" | "expected">,
    waitedMs: number,
    heavySlot?: HeavySlot,
  ): Slot {
    const { weight, ms: expectedMs, usesEstimate } = expected;
    const startedAt = this.#clock.now();
    const isHeavy = weight === "heavy";
    const statement = {
      ...{ share, text, rows, statementClass },
      ...{ expectedMs, startedAt, heavySlot, isHeavy, usesEstimate },
    };
    this.#usage.start(statement);
    const charged = share.levels.filter((each) => this.#usage.isContended(each, startedAt));
    const pacedMs = share.estimates.pacedMs(statement, expectedMs);
    for (const each of charged) {
      charge(each, expectedMs);
      each.pace.charge(pacedMs, startedAt);
    }
    const isTimed = charged.includes(share);
    // The limit may change before the statement ends: what is returned then is returned as it was taken.
    const refillMs = share.time.refillMs(1);
    if (isTimed) this.#takeTime(share, expectedMs, refillMs, startedAt);
    if (pacedMs > 0) this.#settings.longStatements?.spent(share, pacedMs);
    return {
      waitedMs,
      release: (end) => {
        const now = this.#clock.now();
        const ms = now - startedAt;
        this.#usage.end(statement, now);
        statement.heavySlot?.release();
        if (end !== "unmeasured") this.#endedAt = now;
        if (usesEstimate && end === "ended") share.estimates.record(statement, now);
        if (usesEstimate && end === "stopped") share.estimates.recordStopped(statement, now);
        this.#hooks.onEnded?.(share.id, ms);
        const morePacedMs = share.estimates.morePacedMs(statement, ms, pacedMs);
        // Reported even when it is 0, if the statement took long: other processes answer whether other projects are active there.
        if (morePacedMs !== 0 || (usesEstimate && ms >= longMs))
          this.#settings.longStatements?.spent(share, morePacedMs);
        if (isTimed) this.#takeTime(share, ms - expectedMs, refillMs, now);
        for (const each of charged) {
          charge(each, ms - expectedMs);
          each.pace.charge(morePacedMs, now);
        }
        if (this.#usage.waitingCount > 0) this.#serve();
      },
    };
  }

  /** Database time counts over all processes. @param ms negative for what was expected and not used @param refillMs of each */
  #takeTime(share: ProjectShare, ms: number, refillMs: number, now: number): void {
    share.time.take(ms, now);
    this.#settings.databaseTime?.report(share.id, share.time, ms * refillMs);
  }

  /** As in `Usage`. It is reported, because other processes may return the time that they do not use. */
  #waitForTimeMs(share: ProjectShare, now: number): number {
    const ms = this.#usage.waitForTimeMs(share, now);
    if (ms > 0) this.#settings.databaseTime?.report(share.id, share.time, 0);
    return ms;
  }

  /** The pace of a project or an organization and the activity of others are shared by all processes. */
  readonly #noteElsewhere = ({ kind, id, ms, isContended }: LongStatementUpdate): void => {
    const share = this.#shares.find(kind, id);
    if (share === undefined) return;
    const now = this.#clock.now();
    if (isContended) share.contendedUntil = now + remoteActivityMs;
    if (this.#usage.isContended(share, now)) share.pace.charge(ms, now);
  };

  #promote(now: number): void {
    this.#usage.promote(now, this.#noteHeavy);
  }

  readonly #noteHeavy = (statement: RunningStatement): void => {
    statement.heavySlot ??= this.#heavySlots?.note(statement.share);
  };

  #hasCapacity({ share, expected }: Pick<WaitingStatement, "share" | "expected">): boolean {
    const now = this.#clock.now();
    if (expected.isPaced && this.#waitForTimeMs(share, now) > 0) return false;
    return this.#usage.mayStart(share, expected, now);
  }

  readonly #mayStart = (statement: WaitingStatement): boolean =>
    (this.#heavySlots === undefined ||
      statement.expected.weight !== "heavy" ||
      (!this.#isAcquiringSlot &&
        statement.share.levels.every(({ retrySlotAt }) => this.#clock.now() >= retrySlotAt))) &&
    this.#hasCapacity(statement);

  /** Starts a heavy statement if it gets a slot and still waits by then. */
  async #startInSlot(heavySlots: HeavySlots, statement: WaitingStatement): Promise<void> {
    const { share } = statement;
    let heavySlot: HeavySlot | undefined;
    this.#isAcquiringSlot = true;
    try {
      heavySlot = await heavySlots.take(share, this.#settings.capacity);
    } catch {
      heavySlot = uncountedSlot;
    }
    this.#isAcquiringSlot = false;
    if (heavySlot === undefined) this.#postponeSlotRequest(share);
    else if (share.has(statement) && statement.expected.weight === "heavy" && this.#hasCapacity(statement))
      statement.start(heavySlot);
    else heavySlot.release();
    this.#serve();
  }

  /** While several organizations are active, a refused request for a slot delays all projects of the organization. */
  #postponeSlotRequest(share: ProjectShare): void {
    const now = this.#clock.now();
    share.retrySlotAt = now + pollMs;
    if (this.#usage.isContended(share.organization, now)) share.organization.retrySlotAt = now + pollMs;
  }

  /** Starts statements that may start, and schedules another pass while statements wait. */
  readonly #serve = (): void => {
    this.#promote(this.#clock.now());
    const heavySlots = this.#heavySlots;
    while (this.#usage.waitingCount > 0) {
      const next = this.#turns.next(this.#clock.now(), this.#mayStart);
      if (next === undefined) break;
      if (next.expected.weight === "heavy" && heavySlots !== undefined)
        void this.#startInSlot(heavySlots, next);
      else next.start();
    }
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    if (this.#usage.waitingCount === 0) return;
    const ms = Math.min(pollMs, this.#turns.restMs(this.#clock.now()) ?? pollMs);
    this.#cancelPoll = this.#clock.after(Math.max(1, ms), this.#serve);
  };

  #exceededLimit(share: ProjectShare): QueueLimit | undefined {
    const { queueLength } = this.#settings;
    if (share.waitingCount >= queueLength) return "length";
    if (share.organization.waitingCount >= queuesOfOrganization * queueLength) return "organization";
    return this.#usage.waitingCount >= queuesInTotal * queueLength ? "total" : undefined;
  }

  #shareRefusal({ statementClass, project }: StatementRequest, share: ProjectShare, waitMs: number): Error {
    this.#hooks.onRefused?.({ statementClass, limit: "share", projectId: project.id, isOwnLoad: true });
    return databaseTimeExceeded(share.msPerSecond, waitMs);
  }

  #refusal({ statementClass, project }: StatementRequest, limit: QueueLimit): Error {
    const isOwnLoad = limit !== "total" && statementClass !== "background";
    this.#hooks.onRefused?.({ statementClass, limit, projectId: project.id, isOwnLoad });
    if (!isOwnLoad) return allQueuesFull(this.#usage.waitingCount);
    const { queueLength } = this.#settings;
    return limit === "length"
      ? queueFull(queueLength, ownerOf(statementClass))
      : queueFull(queueLength, "organization", queuesOfOrganization);
  }

  /** Whose statements one has waited for since `since`; undefined: those of others. */
  #waitedFor(
    { share, statementClass, since, expected }: WaitingStatement,
    limitMs: number,
  ): LoadOwner | undefined {
    // If the database completed no statement meanwhile, it is unresponsive, which is not the project's load; and a statement with a
    // much shorter limit comes from a call that spent its time elsewhere, such as on a connection.
    if (
      limitMs < Math.min(this.#settings.queueMs, shortWaitMs) ||
      statementClass === "background" ||
      this.#endedAt < since
    )
      return undefined;
    const now = this.#clock.now();
    if (share.inFlight > 0 || !share.pace.mayStart(now)) return ownerOf(statementClass);
    return this.#usage.isOverPart(share.organization, expected, now) ? "organization" : undefined;
  }

  #timeout(statement: WaitingStatement, limitMs: number): Error {
    const { share, statementClass } = statement;
    const owner = this.#waitedFor(statement, limitMs);
    const isOwnLoad = owner !== undefined;
    this.#hooks.onRefused?.({ statementClass, limit: "time", projectId: share.id, isOwnLoad });
    return queueTimeout(limitMs, owner);
  }

  #count(statementClass: StatementClass, by: 1 | -1): void {
    this.#usage.waitingCount += by;
    this.#waiting[statementClass] += by;
  }

  #enqueue(request: StatementRequest, share: ProjectShare, expected: ExpectedCost): Promise<Slot> {
    const { statementClass, text, rows, timeoutMs, signal } = request;
    const since = this.#clock.now();
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const leave = (): void => {
      if (!share.remove(statement)) return;
      this.#count(statementClass, -1);
      if (share.waitingCount === 0) this.#turns.remove(share);
      cancelTimeout();
      signal?.removeEventListener("abort", onAbort);
    };
    const statement: WaitingStatement = {
      share,
      statementClass,
      text,
      rows,
      expected,
      since,
      start: (heavySlot) => {
        leave();
        const waitedMs = this.#clock.now() - since;
        this.#hooks.onWaited?.(statementClass, waitedMs);
        resolve(this.#start(statement, waitedMs, heavySlot));
      },
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const limitMs = statementClass === "background" ? timeoutMs : Math.min(timeoutMs, this.#settings.queueMs);
    const cancelTimeout = this.#clock.after(limitMs, () => {
      leave();
      reject(this.#timeout(statement, limitMs));
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    share.add(statement);
    this.#count(statementClass, 1);
    this.#turns.add(share);
    this.#serve();
    return promise;
  }
}

/** Schedules the statements of projects on one database, in one process. @param hooks called when a statement has waited, was refused or has ended */
export const openScheduler = (settings: SchedulerSettings, hooks: SchedulerHooks = {}): Scheduler =>
  new DatabaseScheduler(settings, hooks);

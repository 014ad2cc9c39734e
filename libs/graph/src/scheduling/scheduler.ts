import { systemClock } from "./clock.ts";
import { isHeavy } from "./estimates.ts";
import { ProjectShare, type WaitingStatement } from "./project-share.ts";
import { queueIsFull, queuesAreFull, waitedTooLong } from "./refusals.ts";
import { RoundRobin } from "./round-robin.ts";
import { type StatementClass, statementClasses } from "./statement-class.ts";
import type {
  ScheduledProject,
  Scheduler,
  SchedulerHooks,
  SchedulerSettings,
  Slot,
  StatementRequest,
} from "./types.ts";
import { Usage } from "./usage.ts";

/** Waiting statements of several schedulers together, by class. */
export const sumOfWaiting = (schedulers: readonly Scheduler[]): Readonly<Record<StatementClass, number>> => {
  const sum = { decision: 0, query: 0, capture: 0, background: 0 };
  for (const scheduler of schedulers) {
    const waiting = scheduler.waiting();
    for (const each of statementClasses) sum[each] += waiting[each];
  }
  return sum;
};

/** Waiting statements of all projects at most, as a multiple of those of one. */
const queuesInAll = 10;
/** Projects whose measurements are kept while they ask for nothing. */
const keptProjects = 2_000;
/** How often the queues are looked at although no statement ends: time may have made a project the only one that asks. */
const pollMs = 50;

/**
 * Schedules the statements of projects on one database, for one process. A statement of a project within its share starts at once;
 * others wait in the queue of their project. Queues are served by deficit round robin over measured database time. Statements
 * of the platform are not scheduled: connections are kept for them.
 */
export const openScheduler = (settings: SchedulerSettings, hooks: SchedulerHooks = {}): Scheduler => {
  const { capacity, queueLength, queueMs, clock = systemClock } = settings;
  const shares = new Map<string, ProjectShare>();
  const usage = new Usage(capacity);
  const roundRobin = new RoundRobin();
  const waiting = { decision: 0, query: 0, capture: 0, background: 0 };
  let cancelPoll: (() => void) | undefined;

  const shareOf = ({ id, limits }: ScheduledProject): ProjectShare => {
    let share = shares.get(id);
    if (share === undefined) {
      if (shares.size >= keptProjects) forgetIdle();
      share = new ProjectShare();
      shares.set(id, share);
    }
    share.limit = limits?.concurrent_statements ?? Infinity;
    return share;
  };
  const forgetIdle = (): void => {
    for (const [id, { inFlight, waitingCount: queued }] of shares) {
      if (shares.size <= keptProjects / 2) return;
      if (inFlight + queued === 0) shares.delete(id);
    }
  };

  const start = (
    share: ProjectShare,
    text: string,
    heavy: boolean,
    expectedMs: number,
    waitedMs: number,
  ): Slot => {
    const startedAt = clock.now();
    const statement = usage.start(share, text, heavy, expectedMs, startedAt);
    const isCharged = usage.isContended(share, startedAt);
    if (isCharged) roundRobin.charge(share, expectedMs);
    return {
      waitedMs,
      release: (isMeasured) => {
        const now = clock.now();
        const ms = now - startedAt;
        usage.end(statement, now);
        if (isMeasured) share.estimates.record(text, ms);
        if (isCharged) roundRobin.charge(share, ms - expectedMs);
        if (usage.waitingCount > 0) pump();
      },
    };
  };

  const mayStart = (statement: WaitingStatement): boolean =>
    usage.mayStart(statement.share, statement.isHeavy, statement.expectedMs, clock.now());

  const pump = (): void => {
    usage.promote(clock.now());
    while (usage.waitingCount > 0) {
      const next = roundRobin.next(clock.now(), mayStart);
      if (next === undefined) break;
      next.start();
    }
    if (usage.waitingCount === 0) {
      cancelPoll?.();
      cancelPoll = undefined;
    } else
      cancelPoll ??= clock.after(pollMs, () => {
        cancelPoll = undefined;
        pump();
      });
  };

  const enqueue = (
    request: StatementRequest,
    share: ProjectShare,
    heavy: boolean,
    expectedMs: number,
  ): Promise<Slot> => {
    const { statementClass, text, timeoutMs, signal } = request;
    const since = clock.now();
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const count = (by: 1 | -1): void => {
      usage.waitingCount += by;
      waiting[statementClass] += by;
    };
    const leave = (): void => {
      if (!share.remove(statement)) return;
      count(-1);
      if (share.waitingCount === 0) roundRobin.remove(share);
      cancelTimeout();
      signal?.removeEventListener("abort", onAbort);
    };
    const statement: WaitingStatement = {
      share,
      statementClass,
      text,
      isHeavy: heavy,
      expectedMs,
      since,
      start: () => {
        leave();
        const waitedMs = clock.now() - since;
        hooks.onQueued?.(statementClass, waitedMs);
        resolve(start(share, text, statement.isHeavy, share.estimates.of(text).ms, waitedMs));
      },
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const limitMs = statementClass === "background" ? timeoutMs : Math.min(timeoutMs, queueMs);
    const cancelTimeout = clock.after(limitMs, () => {
      leave();
      hooks.onRefused?.(statementClass, "time");
      reject(waitedTooLong(limitMs, share.inFlight > 0 && statementClass !== "background"));
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    share.add(statement);
    count(1);
    roundRobin.add(share);
    pump();
    return promise;
  };

  return {
    acquire: (request) => {
      const { project, statementClass, text, signal } = request;
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      const now = clock.now();
      const share = shareOf(project);
      usage.touch(share, now);
      usage.promote(now);
      const estimate = share.estimates.of(text);
      const heavy = isHeavy(estimate);
      // Statements of other projects that wait may not be started now, so this one takes nothing from them.
      if (!share.hasWaiting(heavy) && usage.mayStart(share, heavy, estimate.ms, now))
        return start(share, text, heavy, estimate.ms, 0);
      const limit =
        share.waitingCount >= queueLength
          ? "length"
          : usage.waitingCount >= queuesInAll * queueLength
            ? "total"
            : undefined;
      if (limit === undefined) return enqueue(request, share, heavy, estimate.ms);
      hooks.onRefused?.(statementClass, limit);
      const isOwnLoad = limit === "length" && statementClass !== "background";
      return Promise.reject(isOwnLoad ? queueIsFull(queueLength) : queuesAreFull(usage.waitingCount));
    },
    waiting: () => ({ ...waiting }),
  };
};

import { longMs } from "./capacity.ts";
import { systemClock } from "./clock.ts";
import type { Expected } from "./estimates.ts";
import type { HeavyPlace, HeavyPlaces } from "./heavy-places.ts";
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
/**
 * How often the queues are looked at although no statement ends: time may have made a project the only one that asks, and other
 * processes give back places of heavy statements.
 */
const pollMs = 50;

/**
 * Schedules the statements of projects on one database, for one process. A statement of a project within its share starts at once;
 * others wait in the queue of their project. Queues are served by deficit round robin over measured database time. A heavy
 * statement also needs one of the places that all processes share. Statements of the platform are not scheduled: connections
 * are kept for them.
 */
export const openScheduler = (settings: SchedulerSettings, hooks: SchedulerHooks = {}): Scheduler => {
  const { capacity, queueLength, queueMs, clock = systemClock, places } = settings;
  const shares = new Map<string, ProjectShare>();
  const usage = new Usage(capacity);
  const roundRobin = new RoundRobin();
  const waiting = { decision: 0, query: 0, capture: 0, background: 0 };
  let cancelPoll: (() => void) | undefined;
  /** When the database last ended a statement. */
  let endedAt = -Infinity;
  /** One place is asked for at a time. */
  let isAsking = false;

  const shareOf = ({ id, limits }: ScheduledProject): ProjectShare => {
    let share = shares.get(id);
    if (share === undefined) {
      if (shares.size >= keptProjects) forgetIdle();
      share = new ProjectShare(id, capacity.longContended);
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
    { weight, ms: expectedMs }: Expected,
    waitedMs: number,
    place?: HeavyPlace,
  ): Slot => {
    const startedAt = clock.now();
    const statement = { share, text, expectedMs, startedAt, place, isHeavy: weight === "heavy" };
    usage.start(statement);
    const isCharged = usage.isContended(share, startedAt);
    const pacedMs = weight === "short" ? 0 : expectedMs;
    if (isCharged) {
      roundRobin.charge(share, expectedMs);
      share.pace.charge(pacedMs, startedAt);
    }
    return {
      waitedMs,
      release: (isMeasured) => {
        const now = clock.now();
        const ms = now - startedAt;
        usage.end(statement, now);
        statement.place?.leave();
        if (isMeasured) {
          endedAt = now;
          share.estimates.record(text, ms);
        }
        if (isCharged) {
          roundRobin.charge(share, ms - expectedMs);
          if (weight !== "short" || ms >= longMs) share.pace.charge(ms - pacedMs, now);
        }
        if (usage.waitingCount > 0) pump();
      },
    };
  };

  const promote = (now: number): void =>
    usage.promote(now, (statement) => {
      statement.place = places?.note(statement.share.id);
    });

  const hasRoom = ({ share, expected }: WaitingStatement): boolean =>
    usage.mayStart(share, expected, clock.now());
  const mayStart = (statement: WaitingStatement): boolean =>
    (places === undefined ||
      statement.expected.weight !== "heavy" ||
      (!isAsking && clock.now() >= statement.share.askAgainAt)) &&
    hasRoom(statement);

  /** Starts a heavy statement if there is a place for it at the database and it still waits by then. */
  const startInPlace = async (shared: HeavyPlaces, statement: WaitingStatement): Promise<void> => {
    const { share } = statement;
    isAsking = true;
    const place = await shared.take(share.id, capacity);
    isAsking = false;
    if (place === undefined) share.askAgainAt = clock.now() + pollMs;
    else if (share.has(statement) && hasRoom(statement)) statement.start(place);
    else place.leave();
    pump();
  };

  const pump = (): void => {
    promote(clock.now());
    while (usage.waitingCount > 0) {
      const next = roundRobin.next(clock.now(), mayStart);
      if (next === undefined) break;
      if (next.expected.weight === "heavy" && places !== undefined) void startInPlace(places, next);
      else next.start();
    }
    cancelPoll?.();
    cancelPoll = undefined;
    if (usage.waitingCount === 0) return;
    const ms = Math.min(pollMs, roundRobin.restMs(clock.now()) ?? pollMs);
    cancelPoll = clock.after(Math.max(1, ms), pump);
  };

  const enqueue = (request: StatementRequest, share: ProjectShare, expected: Expected): Promise<Slot> => {
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
      expected,
      since,
      start: (place) => {
        leave();
        const waitedMs = clock.now() - since;
        hooks.onQueued?.(statementClass, waitedMs);
        resolve(start(share, text, statement.expected, waitedMs, place));
      },
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason);
    };
    const limitMs = statementClass === "background" ? timeoutMs : Math.min(timeoutMs, queueMs);
    const cancelTimeout = clock.after(limitMs, () => {
      leave();
      // Where it ended none, it is silent, and no project's fault.
      const isOwnLoad =
        (share.inFlight > 0 || !share.pace.mayStart(clock.now())) &&
        statementClass !== "background" &&
        endedAt >= since;
      hooks.onRefused?.({ statementClass, limit: "time", projectId: share.id, isOwnLoad });
      reject(waitedTooLong(limitMs, isOwnLoad));
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
      places?.asks(project.id);
      promote(now);
      const expected = share.estimates.of(text, statementClass);
      const { weight } = expected;
      // Statements of other projects that wait may not be started now, so this one takes nothing from them.
      const isAskedFor = weight === "heavy" && places !== undefined;
      if (!isAskedFor && !share.hasWaiting(weight) && usage.mayStart(share, expected, now))
        return start(share, text, expected, 0);
      const limit =
        share.waitingCount >= queueLength
          ? "length"
          : usage.waitingCount >= queuesInAll * queueLength
            ? "total"
            : undefined;
      if (limit === undefined) return enqueue(request, share, expected);
      const isOwnLoad = limit === "length" && statementClass !== "background";
      hooks.onRefused?.({ statementClass, limit, projectId: project.id, isOwnLoad });
      return Promise.reject(isOwnLoad ? queueIsFull(queueLength) : queuesAreFull(usage.waitingCount));
    },
    waiting: () => ({ ...waiting }),
  };
};

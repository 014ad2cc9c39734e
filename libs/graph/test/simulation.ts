import type { Clock, HeavySlots, SharedRate } from "@ikg/concurrency";
import type { Problem } from "@ikg/contracts";
import type { Capacity } from "../src/scheduling/capacity.ts";
import type { LongStatements } from "../src/scheduling/long-statements.ts";
import { openScheduler } from "../src/scheduling/scheduler.ts";
import type { StatementClass } from "../src/scheduling/statement-class.ts";
import type { RefusedStatement, Scheduler, Slot, StatementEnd } from "../src/scheduling/types.ts";

/** One statement of a drawn schedule; times in milliseconds. */
export interface Arrival {
  readonly at: number;
  readonly project: string;
  /** Unset: the project has one of its own. */
  readonly organization?: string | undefined;
  readonly statementClass: StatementClass;
  readonly text: string;
  /** How long the database works on it. */
  readonly ms: number;
  readonly timeoutMs: number;
  /** When its caller leaves, counted from its arrival. */
  readonly abortAfter?: number | undefined;
}

/** The outcome of a statement. */
export interface Outcome {
  readonly arrival: Arrival;
  startedAt?: number;
  refused?: Problem | Error;
}

/** Statements in flight and waiting at one moment, by project. */
export interface Moment {
  readonly now: number;
  readonly inFlight: ReadonlyMap<string, number>;
  readonly waiting: ReadonlyMap<string, number>;
}

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** A clock that moves only by `step`. */
const openClock = () => {
  let now = 0;
  const timers = new Set<Timer>();
  const clock: Clock = {
    now: () => now,
    after: (ms, action) => {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  /** Moves to the next timer and calls it; false when there is none. */
  const step = (): boolean => {
    let next: Timer | undefined;
    for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer;
    if (next === undefined) return false;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.action();
    return true;
  };
  return { clock, step };
};

export interface SimulationSettings {
  readonly capacity: Capacity;
  readonly queueLength?: number;
  readonly queueMs?: number;
  /** `concurrent_statements` of each project. */
  readonly limit?: number;
  /** `database_ms_per_second` of projects. */
  readonly msPerSecond?: Readonly<Record<string, number>>;
  /** Called after every event. */
  readonly onMoment?: (moment: Moment) => void;
  readonly heavySlots?: HeavySlots;
  readonly longStatements?: LongStatements;
  readonly databaseTime?: (clock: Clock) => SharedRate;
  readonly onRefused?: (refused: RefusedStatement) => void;
}

const settleDepth = 6;

/** Statements of each project in one state. */
class Counts {
  readonly byProject = new Map<string, number>();

  add(project: string, by: 1 | -1): void {
    this.byProject.set(project, (this.byProject.get(project) ?? 0) + by);
  }
}

type Acquire = (arrival: Arrival, signal: AbortSignal) => ReturnType<Scheduler["acquire"]>;

/** Plays the arrivals, and counts what is in flight and waiting. */
class Schedule {
  readonly inFlight = new Counts();
  readonly waiting = new Counts();
  readonly #clock: Clock;
  readonly #acquire: Acquire;

  constructor(clock: Clock, acquire: Acquire) {
    this.#clock = clock;
    this.#acquire = acquire;
  }

  add(arrival: Arrival): Outcome {
    const outcome: Outcome = { arrival };
    this.#clock.after(arrival.at, () => this.#arrive(outcome));
    return outcome;
  }

  #arrive(outcome: Outcome): void {
    const { arrival } = outcome;
    const { project, abortAfter } = arrival;
    const leaving = new AbortController();
    const { signal } = leaving;
    if (abortAfter !== undefined) this.#clock.after(abortAfter, () => leaving.abort(new Error("left")));
    const slot = this.#acquire(arrival, signal);
    if (!(slot instanceof Promise)) return this.#begin(outcome, slot, signal);
    this.waiting.add(project, 1);
    slot.then(
      (granted) => {
        this.waiting.add(project, -1);
        this.#begin(outcome, granted, signal);
      },
      (error: Error) => {
        this.waiting.add(project, -1);
        outcome.refused = error;
      },
    );
  }

  /** The database ends a statement at once when its caller leaves. */
  #begin(outcome: Outcome, slot: Slot, signal: AbortSignal): void {
    const { project, ms } = outcome.arrival;
    outcome.startedAt = this.#clock.now();
    this.inFlight.add(project, 1);
    const end = (how: StatementEnd): void => {
      cancel();
      this.inFlight.add(project, -1);
      slot.release(how);
    };
    const cancel = this.#clock.after(ms, () => {
      signal.removeEventListener("abort", onAbort);
      end("ended");
    });
    const onAbort = (): void => end("stopped");
    signal.addEventListener("abort", onAbort, { once: true });
  }
}

/** Runs a schedule against a scheduler whose database takes exactly the `ms` of each statement. */
export const simulate = async (
  arrivals: readonly Arrival[],
  {
    capacity,
    queueLength = 1_000,
    queueMs = 1e9,
    limit = Infinity,
    msPerSecond = {},
    onMoment,
    heavySlots,
    longStatements,
    databaseTime,
    onRefused = () => undefined,
  }: SimulationSettings,
): Promise<Outcome[]> => {
  const { clock, step } = openClock();
  const shared = { heavySlots, longStatements, databaseTime: databaseTime?.(clock) };
  const scheduler = openScheduler({ capacity, queueLength, queueMs, clock, ...shared }, { onRefused });
  const limitsOf = (id: string) => ({
    concurrent_statements: limit,
    database_ms_per_second: msPerSecond[id],
  });
  const schedule = new Schedule(
    clock,
    ({ project: id, organization, statementClass, text, timeoutMs }, signal) =>
      scheduler.acquire({
        project: { id, organizationId: organization, limits: limitsOf(id) },
        statementClass,
        text,
        timeoutMs,
        signal,
      }),
  );
  const outcomes = arrivals.map((arrival) => schedule.add(arrival));
  const { inFlight, waiting } = schedule;
  while (step()) {
    for (let i = 0; i < settleDepth; i++) await Promise.resolve();
    onMoment?.({ now: clock.now(), inFlight: inFlight.byProject, waiting: waiting.byProject });
  }
  return outcomes;
};

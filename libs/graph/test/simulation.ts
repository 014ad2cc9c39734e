import type { Problem } from "@ikg/contracts";
import type { Capacity } from "../src/scheduling/capacity.ts";
import type { Clock } from "../src/scheduling/clock.ts";
import type { HeavyPlaces } from "../src/scheduling/heavy-places.ts";
import { openScheduler } from "../src/scheduling/scheduler.ts";
import type { StatementClass } from "../src/scheduling/statement-class.ts";
import type { RefusedStatement } from "../src/scheduling/types.ts";

/** One statement of a drawn schedule; times in milliseconds. */
export interface Arrival {
  readonly at: number;
  readonly project: string;
  readonly statementClass: StatementClass;
  readonly text: string;
  /** How long the database works on it. */
  readonly ms: number;
  readonly timeoutMs: number;
  /** When its caller leaves, counted from its arrival. */
  readonly abortAfter?: number | undefined;
}

/** What became of a statement. */
export interface Outcome {
  readonly arrival: Arrival;
  startedAt?: number;
  refused?: Problem | Error;
}

/** What is in flight and waiting at one moment, by project. */
export interface Moment {
  readonly now: number;
  readonly inFlight: ReadonlyMap<string, number>;
  readonly waiting: ReadonlyMap<string, number>;
}

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** A clock that moves only when it is told to. */
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
  /** Called after every event. */
  readonly onMoment?: (moment: Moment) => void;
  readonly places?: HeavyPlaces;
  readonly onRefused?: (refused: RefusedStatement) => void;
}

const settleDepth = 6;

/** Runs a schedule against a scheduler whose database takes exactly the time that each statement says. */
export const simulate = async (
  arrivals: readonly Arrival[],
  {
    capacity,
    queueLength = 1_000,
    queueMs = 1e9,
    limit,
    onMoment,
    places,
    onRefused = () => undefined,
  }: SimulationSettings,
): Promise<Outcome[]> => {
  const { clock, step } = openClock();
  const scheduler = openScheduler({ capacity, queueLength, queueMs, clock, places }, { onRefused });
  const inFlight = new Map<string, number>();
  const waiting = new Map<string, number>();
  const count = (counts: Map<string, number>, project: string, by: number): void =>
    void counts.set(project, (counts.get(project) ?? 0) + by);

  const outcomes = arrivals.map((arrival): Outcome => {
    const outcome: Outcome = { arrival };
    const { project, statementClass, text, ms, timeoutMs, abortAfter } = arrival;
    clock.after(arrival.at, () => {
      const leaving = new AbortController();
      if (abortAfter !== undefined) clock.after(abortAfter, () => leaving.abort(new Error("left")));
      const begin = (slot: { release(isMeasured: boolean): void }): void => {
        outcome.startedAt = clock.now();
        count(inFlight, project, 1);
        clock.after(ms, () => {
          count(inFlight, project, -1);
          slot.release(true);
        });
      };
      const slot = scheduler.acquire({
        project: {
          id: project,
          ...(limit === undefined ? {} : { limits: { concurrent_statements: limit } }),
        },
        statementClass,
        text,
        timeoutMs,
        signal: leaving.signal,
      });
      if (!(slot instanceof Promise)) return begin(slot);
      count(waiting, project, 1);
      slot.then(
        (granted) => {
          count(waiting, project, -1);
          begin(granted);
        },
        (error: Error) => {
          count(waiting, project, -1);
          outcome.refused = error;
        },
      );
    });
    return outcome;
  });
  while (step()) {
    for (let i = 0; i < settleDepth; i++) await Promise.resolve();
    onMoment?.({ now: clock.now(), inFlight, waiting });
  }
  return outcomes;
};

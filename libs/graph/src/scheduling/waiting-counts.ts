import { type StatementClass, statementClasses } from "./statement-class.ts";
import type { Scheduler } from "./types.ts";

export const noneWaiting = (): Record<StatementClass, number> => ({
  decision: 0,
  query: 0,
  capture: 0,
  administration: 0,
  background: 0,
});

/** Waiting statements of several schedulers together, by class. */
export const sumOfWaiting = (schedulers: readonly Scheduler[]): Readonly<Record<StatementClass, number>> => {
  const sum = noneWaiting();
  for (const scheduler of schedulers) {
    const waiting = scheduler.waiting();
    for (const each of statementClasses) sum[each] += waiting[each];
  }
  return sum;
};

/** Waiting statements of several schedulers together, by project. */
export const projectsWaiting = (schedulers: readonly Scheduler[]): ReadonlyMap<string, number> => {
  const sum = new Map<string, number>();
  for (const scheduler of schedulers)
    for (const [id, count] of scheduler.waitingOfProjects()) sum.set(id, (sum.get(id) ?? 0) + count);
  return sum;
};

import { Problem } from "@ikg/contracts";

/** A part of a budget; to be given back once. */
export interface Reservation {
  release(): void;
}

export interface SharedBudgetLimits {
  /** Units to give: bytes, or calls. */
  readonly capacity: number;
  /** How long a reservation is waited for, in milliseconds. */
  readonly waitMs: number;
  /** Reservations of one project that wait at the same time. */
  readonly waitingPerProject: number;
}

/**
 * Something that all projects share in a process, such as the memory of large answers. One project has at most half of it, and
 * what waits is served project by project in turn, so that one project's work does not keep out another's.
 */
export interface SharedBudget {
  /**
   * @param amount units; more than the capacity counts as all of it.
   * @throws Problem `too_many_requests` (429) when the project has its share, `unavailable` (503) when others have the rest.
   */
  reserve(project: string, amount: number): Promise<Reservation>;
}

interface Waiting {
  readonly amount: number;
  settle(reservation: Reservation): void;
}

/** @param refused what a refusal says: the limit and the setting. */
export const openSharedBudget = (
  { capacity, waitMs, waitingPerProject }: SharedBudgetLimits,
  refused: string,
): SharedBudget => {
  let free = capacity;
  const held = new Map<string, number>();
  /** Projects in the order in which they are served next. */
  const queues = new Map<string, Waiting[]>();

  const heldBy = (project: string): number => held.get(project) ?? 0;
  const inShare = (project: string, amount: number): boolean =>
    heldBy(project) === 0 || heldBy(project) + amount <= capacity / 2;

  const grant = (project: string, amount: number): Reservation => {
    free -= amount;
    held.set(project, heldBy(project) + amount);
    let open = true;
    return {
      release: () => {
        if (!open) return;
        open = false;
        free += amount;
        const left = heldBy(project) - amount;
        if (left === 0) held.delete(project);
        else held.set(project, left);
        serve();
      },
    };
  };

  const serve = (): void => {
    for (const [project, queue] of [...queues]) {
      const [first] = queue;
      if (first === undefined || !inShare(project, first.amount)) continue;
      // What is next in turn is waited for: smaller ones behind it would keep it out for ever.
      if (first.amount > free) return;
      queue.shift();
      queues.delete(project);
      if (queue.length > 0) queues.set(project, queue);
      first.settle(grant(project, first.amount));
    }
  };

  const refusal = (project: string, amount: number): Problem => {
    const ownFault = !inShare(project, amount);
    return new Problem(ownFault ? "too_many_requests" : "unavailable", {
      headers: { "Retry-After": "1" },
      errors: [refused],
    });
  };

  return {
    reserve: (project, wanted) => {
      const amount = Math.min(wanted, capacity);
      const queue = queues.get(project) ?? [];
      if (queues.size === 0 && amount <= free && inShare(project, amount))
        return Promise.resolve(grant(project, amount));
      if (queue.length >= waitingPerProject) return Promise.reject(refusal(project, amount));
      const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) queues.delete(project);
        reject(refusal(project, amount));
        // What stood behind it may fit.
        serve();
      }, waitMs);
      const waiting: Waiting = {
        amount,
        settle: (reservation) => {
          clearTimeout(timer);
          resolve(reservation);
        },
      };
      queue.push(waiting);
      queues.set(project, queue);
      serve();
      return promise;
    },
  };
};

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

class FairBudget implements SharedBudget {
  readonly #limits: SharedBudgetLimits;
  readonly #message: string;
  readonly #held = new Map<string, number>();
  /** Projects in the order in which they are served next. */
  readonly #queues = new Map<string, Waiting[]>();
  #free: number;

  constructor(limits: SharedBudgetLimits, message: string) {
    this.#limits = limits;
    this.#message = message;
    this.#free = limits.capacity;
  }

  reserve(project: string, wanted: number): Promise<Reservation> {
    const { capacity, waitMs, waitingPerProject } = this.#limits;
    const amount = Math.min(wanted, capacity);
    const queue = this.#queues.get(project) ?? [];
    if (this.#queues.size === 0 && amount <= this.#free && this.#isInShare(project, amount))
      return Promise.resolve(this.#grant(project, amount));
    if (queue.length >= waitingPerProject) return Promise.reject(this.#refusal(project, amount));
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1);
      if (queue.length === 0) this.#queues.delete(project);
      reject(this.#refusal(project, amount));
      // What stood behind it may fit.
      this.#serve();
    }, waitMs);
    const waiting: Waiting = {
      amount,
      settle: (reservation) => {
        clearTimeout(timer);
        resolve(reservation);
      },
    };
    queue.push(waiting);
    this.#queues.set(project, queue);
    this.#serve();
    return promise;
  }

  #heldBy(project: string): number {
    return this.#held.get(project) ?? 0;
  }

  #isInShare(project: string, amount: number): boolean {
    const held = this.#heldBy(project);
    return held === 0 || held + amount <= this.#limits.capacity / 2;
  }

  #grant(project: string, amount: number): Reservation {
    this.#free -= amount;
    this.#held.set(project, this.#heldBy(project) + amount);
    let isOpen = true;
    return {
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#free += amount;
        const left = this.#heldBy(project) - amount;
        if (left === 0) this.#held.delete(project);
        else this.#held.set(project, left);
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (const [project, queue] of [...this.#queues]) {
      const [first] = queue;
      if (first === undefined || !this.#isInShare(project, first.amount)) continue;
      // What is next in turn is waited for: smaller ones behind it would keep it out for ever.
      if (first.amount > this.#free) return;
      queue.shift();
      this.#queues.delete(project);
      if (queue.length > 0) this.#queues.set(project, queue);
      first.settle(this.#grant(project, first.amount));
    }
  }

  #refusal(project: string, amount: number): Problem {
    return new Problem(this.#isInShare(project, amount) ? "unavailable" : "too_many_requests", {
      headers: { "Retry-After": "1" },
      errors: [this.#message],
    });
  }
}

/** @param message what a refusal says: the limit and the setting. */
export const openSharedBudget = (limits: SharedBudgetLimits, message: string): SharedBudget =>
  new FairBudget(limits, message);

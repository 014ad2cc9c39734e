import type { Tenant } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { Holdings, organizationShare } from "./holdings.ts";

/** A part of a budget; to be given back once. */
export interface Reservation {
  release(): void;
}

export interface SharedBudgetLimits {
  /** Units to give: bytes, or calls. */
  readonly total: number;
  /** How long a reservation is waited for, in milliseconds. */
  readonly waitMs: number;
  /** Reservations of one project that wait at the same time. */
  readonly waitingPerProject: number;
}

/**
 * Something that all projects share in a process, such as the memory of large answers. One project has at most half of it and, while
 * another organization holds or waits for some, all projects of an organization three quarters. What waits is served project by
 * project in turn, so that one project's work does not keep out another's.
 */
export interface SharedBudget {
  /**
   * @param amount units; more than the total counts as all of it.
   * @throws Problem `too_many_requests` (429) when the project or its organization has its share, `unavailable` (503) when others have the rest.
   */
  reserve(tenant: Tenant, amount: number): Promise<Reservation>;
}

interface QueuedReservation {
  readonly tenant: Tenant;
  readonly amount: number;
  settle(reservation: Reservation): void;
}

class FairBudget implements SharedBudget {
  readonly #limits: SharedBudgetLimits;
  readonly #message: string;
  readonly #projects: Holdings;
  readonly #organizations: Holdings;
  /** Reservations of each organization that wait. */
  readonly #waiting = new Holdings(Infinity);
  #waitingTotal = 0;
  /** Projects in the order in which they are served next. */
  readonly #queues = new Map<string, QueuedReservation[]>();
  #free: number;

  constructor(limits: SharedBudgetLimits, message: string) {
    this.#limits = limits;
    this.#message = message;
    this.#free = limits.total;
    this.#projects = new Holdings(limits.total / 2);
    this.#organizations = new Holdings(limits.total * organizationShare);
  }

  reserve(tenant: Tenant, wanted: number): Promise<Reservation> {
    const project = tenant.id;
    const { total, waitMs, waitingPerProject } = this.#limits;
    const amount = Math.min(wanted, total);
    const queue = this.#queues.get(project) ?? [];
    if (this.#queues.size === 0 && amount <= this.#free && this.#fullOwner(tenant, amount) === undefined)
      return Promise.resolve(this.#grant(tenant, amount));
    if (queue.length >= waitingPerProject) return Promise.reject(this.#refusal(tenant, amount));
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1);
      this.#countWaiting(tenant, -1);
      if (queue.length === 0) this.#queues.delete(project);
      reject(this.#refusal(tenant, amount));
      // What stood behind it may fit.
      this.#serve();
    }, waitMs);
    const waiting: QueuedReservation = {
      tenant,
      amount,
      settle: (reservation) => {
        clearTimeout(timer);
        resolve(reservation);
      },
    };
    queue.push(waiting);
    this.#countWaiting(tenant, 1);
    this.#queues.set(project, queue);
    this.#serve();
    return promise;
  }

  #countWaiting({ organizationId }: Tenant, by: 1 | -1): void {
    this.#waiting.add(organizationId, by);
    this.#waitingTotal += by;
  }

  /** Whose part does not allow the amount; undefined where both do. */
  #fullOwner({ id, organizationId }: Tenant, amount: number): "project" | "organization" | undefined {
    if (!this.#projects.hasCapacity(id, amount)) return "project";
    const heldByOthers = this.#limits.total - this.#free - this.#organizations.of(organizationId);
    const isContended = heldByOthers > 0 || this.#waitingTotal > this.#waiting.of(organizationId);
    return isContended && !this.#organizations.hasCapacity(organizationId, amount)
      ? "organization"
      : undefined;
  }

  #hold({ id, organizationId }: Tenant, amount: number): void {
    this.#free -= amount;
    this.#projects.add(id, amount);
    this.#organizations.add(organizationId, amount);
  }

  #grant(tenant: Tenant, amount: number): Reservation {
    this.#hold(tenant, amount);
    let isOpen = true;
    return {
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#hold(tenant, -amount);
        this.#serve();
      },
    };
  }

  /** Until nothing that waits fits: one reservation that is given back may have been as large as several that wait. */
  #serve(): void {
    let isServed = true;
    while (isServed) isServed = this.#serveRound();
  }

  /** Serves one reservation of each project. @returns true when another round may serve more. */
  #serveRound(): boolean {
    let isServed = false;
    /** Organizations whose next in turn waits for their part: smaller ones behind it would keep it out for ever. */
    const full = new Set<string>();
    for (const [project, queue] of [...this.#queues]) {
      const [first] = queue;
      if (first === undefined || full.has(first.tenant.organizationId)) continue;
      const owner = this.#fullOwner(first.tenant, first.amount);
      if (owner === "organization") full.add(first.tenant.organizationId);
      if (owner !== undefined) continue;
      // So is what is next of all.
      if (first.amount > this.#free) return false;
      queue.shift();
      this.#countWaiting(first.tenant, -1);
      this.#queues.delete(project);
      if (queue.length > 0) this.#queues.set(project, queue);
      first.settle(this.#grant(first.tenant, first.amount));
      isServed = true;
    }
    return isServed;
  }

  #refusal(tenant: Tenant, amount: number): Problem {
    const owner = this.#fullOwner(tenant, amount);
    return new Problem(owner === undefined ? "unavailable" : "too_many_requests", {
      headers: { "Retry-After": "1" },
      errors: [owner === undefined ? this.#message : `${this.#message}; the ${owner} already uses its share`],
    });
  }
}

/** @param message of a refusal: the limit and the setting. */
export const openSharedBudget = (limits: SharedBudgetLimits, message: string): SharedBudget =>
  new FairBudget(limits, message);

import type { Tenant } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { Holdings, organizationShare } from "./holdings.ts";
import { WaitingRequests } from "../http/waiting-requests.ts";

/** Bytes of bodies that a process holds at one time. */
export interface BodyMemoryLimits {
  readonly total: number;
  /** Of one project; all projects of an organization have three quarters of all. */
  readonly perProject: number;
  /** How long a request waits for its share. */
  readonly waitMs: number;
}

/** A share of the memory; given back once. */
export interface Reservation {
  /** Gives back what the body did not need. */
  shrink(bytes: number): void;
  release(): void;
}

export interface BodyMemory {
  /**
   * Reserves memory for one body. A body larger than a limit is admitted when nothing else counts against that limit.
   *
   * @throws Problem `too_many_requests` (429) when the bodies of the project or of its organization did not end in time,
   *   `unavailable` (503) when those of all did not; both name the limit.
   */
  reserve(tenant: Tenant, bytes: number): Promise<Reservation>;
}

interface QueuedReservation {
  readonly tenant: Tenant;
  readonly bytes: number;
  readonly admit: () => void;
}

const retryAfter = { "Retry-After": "1" };

class SharedBodyMemory implements BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #onRefused: (limit: string) => void;
  readonly #projects: Holdings;
  readonly #organizations: Holdings;
  readonly #waiting = new WaitingRequests<QueuedReservation>();
  #reserved = 0;

  constructor(limits: BodyMemoryLimits, onRefused: (limit: string) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
    this.#projects = new Holdings(limits.perProject);
    this.#organizations = new Holdings(this.#perOrganization);
  }

  async reserve(tenant: Tenant, bytes: number): Promise<Reservation> {
    const isAdmitted = this.#waiting.size === 0 && this.#fitsTenant(tenant, bytes) && this.#fitsAll(bytes);
    if (isAdmitted) return this.#take(tenant, bytes);
    if (!this.#waiting.hasCapacity(tenant)) throw this.#refusal(tenant, bytes);
    return new Promise((resolve, reject) => {
      const one: QueuedReservation = {
        tenant,
        bytes,
        admit: () => {
          clearTimeout(timer);
          resolve(this.#take(tenant, bytes));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(one);
        reject(this.#refusal(tenant, bytes));
        this.#admitWaiting();
      }, this.#limits.waitMs);
      this.#waiting.add(one);
      // Others may wait for their own project only.
      this.#admitWaiting();
    });
  }

  get #perOrganization(): number {
    return Math.max(this.#limits.perProject, Math.floor(this.#limits.total * organizationShare));
  }

  #fitsTenant({ id, organizationId }: Tenant, bytes: number): boolean {
    return this.#projects.hasCapacity(id, bytes) && this.#organizations.hasCapacity(organizationId, bytes);
  }

  #fitsAll(bytes: number): boolean {
    return this.#reserved === 0 || this.#reserved + bytes <= this.#limits.total;
  }

  #add({ id, organizationId }: Tenant, bytes: number): void {
    this.#reserved += bytes;
    this.#projects.add(id, bytes);
    this.#organizations.add(organizationId, bytes);
  }

  /** Of those whose project is below its limit, the one whose project has least; of one project, the one that waits longest. */
  #least(without: ReadonlySet<string>): QueuedReservation | undefined {
    let found: QueuedReservation | undefined;
    for (const each of this.#waiting)
      if (
        !without.has(each.tenant.organizationId) &&
        this.#projects.hasCapacity(each.tenant.id, each.bytes) &&
        (found === undefined || this.#projects.of(each.tenant.id) < this.#projects.of(found.tenant.id))
      )
        found = each;
    return found;
  }

  /** A body for which its organization has no memory left is not passed by smaller ones of that organization. */
  #next(): QueuedReservation | undefined {
    const full = new Set<string>();
    for (;;) {
      const found = this.#least(full);
      if (found === undefined) return undefined;
      const { organizationId } = found.tenant;
      if (this.#organizations.hasCapacity(organizationId, found.bytes)) return found;
      full.add(organizationId);
    }
  }

  #admitWaiting(): void {
    // One that does not fit is not passed by smaller ones, which could keep it waiting for ever.
    for (let one = this.#next(); one !== undefined && this.#fitsAll(one.bytes); one = this.#next()) {
      this.#waiting.delete(one);
      one.admit();
    }
  }

  #take(tenant: Tenant, bytes: number): Reservation {
    let held = bytes;
    this.#add(tenant, held);
    const keep = (wanted: number): void => {
      if (wanted >= held) return;
      this.#add(tenant, wanted - held);
      held = wanted;
      if (this.#waiting.size > 0) this.#admitWaiting();
    };
    return { shrink: keep, release: () => keep(0) };
  }

  #refusal({ id, organizationId }: Tenant, bytes: number): Problem {
    this.#onRefused("bytes of bodies");
    const { perProject, total } = this.#limits;
    const ofOwner = !this.#projects.hasCapacity(id, bytes)
      ? `at most ${perProject} of one project at one time (BODY_BYTES_PER_PROJECT)`
      : !this.#organizations.hasCapacity(organizationId, bytes)
        ? `at most ${this.#perOrganization} of one organization at one time (three quarters of BODY_BYTES)`
        : undefined;
    return new Problem(ofOwner === undefined ? "unavailable" : "too_many_requests", {
      errors: [`bytes of bodies: ${ofOwner ?? `at most ${total} of a process at one time (BODY_BYTES)`}`],
      headers: retryAfter,
    });
  }
}

/** @param onRefused called with the name of the limit at each refusal. */
export const openBodyMemory = (
  limits: BodyMemoryLimits,
  onRefused: (limit: string) => void = () => undefined,
): BodyMemory => new SharedBodyMemory(limits, onRefused);

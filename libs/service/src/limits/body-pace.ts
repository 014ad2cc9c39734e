import type { Tenant } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { organizationShare } from "./holdings.ts";
import { WaitingRequests } from "../http/waiting-requests.ts";

/** Bytes of large bodies that a process begins to process in a second. */
export interface BodyPaceLimits {
  /** Of all; one project has at most half of it, and all projects of an organization three quarters while another one is active. */
  readonly bytesPerSecond: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

/**
 * Decides when large bodies are processed. A process parses and records bodies in one thread: as long as it works on one,
 * no other request is answered.
 */
export interface BodyPace {
  /** Notes a request of a project, of whatever size. */
  note(tenant: Tenant): void;
  /**
   * Resolves when the body may be processed: at once while no other project is active.
   *
   * @param waitMs how long it waits at most.
   * @throws Problem `too_many_requests` (429) when bodies of the project or its organization before it take longer, `unavailable` (503)
   *   when those of others do; both name the setting.
   */
  admit(tenant: Tenant, bytes: number, waitMs: number): Promise<void>;
}

interface QueuedBody {
  readonly tenant: Tenant;
  readonly bytes: number;
  readonly begin: () => void;
}

/** A project or an organization that sent a request within this time counts as active: it would have to wait. */
const activeMs = 10_000;
/** Time of the process for each millisecond in which a body kept it from everything else: small values take long to parse. */
const timeOfWork = 8;
const retryAfter = { "Retry-After": "1" };

/** When another one than a given project, or organization, sent its last request. */
const openLastOther = (now: () => number) => {
  let last: { id: string; at: number } | undefined;
  let beforeAt = -Infinity;
  return {
    note: (id: string): void => {
      if (last === undefined) last = { id, at: now() };
      else if (last.id === id) last.at = now();
      else {
        beforeAt = last.at;
        last = { id, at: now() };
      }
    },
    isActive: (id: string): boolean =>
      now() - (last === undefined || last.id === id ? beforeAt : last.at) <= activeMs,
  };
};

/** When the next body of projects, or of organizations, may start. */
class Starts {
  readonly #next = new Map<string, number>();

  of(id: string): number {
    return this.#next.get(id) ?? 0;
  }

  delay(id: string, ms: number, now: number): void {
    this.#next.set(id, Math.max(now, this.of(id)) + ms);
  }

  /** Forgets those that were due before a moment. */
  forget(before: number): void {
    for (const [id, at] of this.#next) if (at < before) this.#next.delete(id);
  }
}

class FairBodyPace implements BodyPace {
  readonly #bytesPerSecond: number;
  readonly #now: () => number;
  readonly #onRefused: (limit: string) => void;
  readonly #otherProjects: ReturnType<typeof openLastOther>;
  readonly #otherOrganizations: ReturnType<typeof openLastOther>;
  readonly #waiting = new WaitingRequests<QueuedBody>();
  readonly #ofProjects = new Starts();
  readonly #ofOrganizations = new Starts();
  #nextOfAll = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A body is processed, and its time is not known yet: a timer may be due before. */
  #isMeasuring = false;

  constructor({ bytesPerSecond, now }: Required<BodyPaceLimits>, onRefused: (limit: string) => void) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#now = now;
    this.#onRefused = onRefused;
    this.#otherProjects = openLastOther(now);
    this.#otherOrganizations = openLastOther(now);
  }

  note({ id, organizationId }: Tenant): void {
    this.#otherProjects.note(id);
    this.#otherOrganizations.note(organizationId);
  }

  async admit(tenant: Tenant, bytes: number, waitMs: number): Promise<void> {
    if (!this.#otherProjects.isActive(tenant.id)) return;
    if (!this.#waiting.hasCapacity(tenant)) throw this.#refusal(tenant);
    await new Promise<void>((resolve, reject) => {
      const one: QueuedBody = {
        tenant,
        bytes,
        begin: () => {
          clearTimeout(end);
          resolve();
        },
      };
      const end = setTimeout(() => {
        this.#waiting.delete(one);
        reject(this.#refusal(tenant));
        this.#startWaiting();
      }, waitMs);
      this.#waiting.add(one);
      this.#startWaiting();
    });
  }

  #turnOf({ id, organizationId }: Tenant): number {
    return Math.max(this.#ofProjects.of(id), this.#ofOrganizations.of(organizationId));
  }

  #msOf(bytes: number): number {
    return (bytes / this.#bytesPerSecond) * 1_000;
  }

  #delayNext({ id, organizationId }: Tenant, ms: number): void {
    const now = this.#now();
    this.#nextOfAll = Math.max(now, this.#nextOfAll) + ms;
    this.#ofProjects.delay(id, 2 * ms, now);
    if (this.#otherOrganizations.isActive(organizationId))
      this.#ofOrganizations.delay(organizationId, ms / organizationShare, now);
  }

  #start({ tenant, bytes, begin }: QueuedBody): void {
    for (const starts of [this.#ofProjects, this.#ofOrganizations]) starts.forget(this.#now() - activeMs);
    this.#delayNext(tenant, this.#msOf(bytes));
    const began = this.#now();
    this.#isMeasuring = true;
    begin();
    // It runs when the body is parsed and checked: nothing is awaited before.
    setImmediate(() => {
      this.#isMeasuring = false;
      const more = (this.#now() - began) * timeOfWork - this.#msOf(bytes);
      if (more > 0) this.#delayNext(tenant, more);
      // What arrived meanwhile is answered before the next large one.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#startWaiting, 0);
    });
  }

  /** Less than 0 where one has its turn before another; projects that wait for the same organization come by their own turns. */
  #compare(one: Tenant, next: Tenant): number {
    return (
      this.#turnOf(one) - this.#turnOf(next) || this.#ofProjects.of(one.id) - this.#ofProjects.of(next.id)
    );
  }

  /** Of the project whose turn was earliest, or comes soonest, the one that waits longest. */
  #first(): QueuedBody | undefined {
    let found: QueuedBody | undefined;
    for (const each of this.#waiting)
      if (found === undefined || this.#compare(each.tenant, found.tenant) < 0) found = each;
    return found;
  }

  readonly #startWaiting = (): void => {
    if (this.#isMeasuring) return;
    clearTimeout(this.#timer);
    const next = this.#first();
    if (next === undefined) return;
    const inMs = Math.max(this.#nextOfAll, this.#turnOf(next.tenant)) - this.#now();
    if (inMs > 0) {
      this.#timer = setTimeout(this.#startWaiting, Math.ceil(inMs));
      return;
    }
    this.#waiting.delete(next);
    this.#start(next);
  };

  #refusal({ id, organizationId }: Tenant): Problem {
    const rate = this.#bytesPerSecond;
    const ofOwner =
      this.#ofProjects.of(id) >= this.#nextOfAll
        ? `at most ${Math.floor(rate / 2)} of one project (half of BODY_BYTES_PER_SECOND)`
        : this.#ofOrganizations.of(organizationId) >= this.#nextOfAll
          ? `at most ${Math.floor(rate * organizationShare)} of one organization (three quarters of BODY_BYTES_PER_SECOND)`
          : undefined;
    this.#onRefused("bytes of bodies per second");
    return new Problem(ofOwner === undefined ? "unavailable" : "too_many_requests", {
      errors: [
        `bytes of bodies per second: ${ofOwner ?? `at most ${rate} of a process (BODY_BYTES_PER_SECOND)`}`,
      ],
      headers: retryAfter,
    });
  }
}

/** @param onRefused called with the name of the limit at each refusal. */
export const openBodyPace = (
  { bytesPerSecond, now = () => performance.now() }: BodyPaceLimits,
  onRefused: (limit: string) => void = () => undefined,
): BodyPace => new FairBodyPace({ bytesPerSecond, now }, onRefused);

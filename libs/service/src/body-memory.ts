import { Problem } from "@ikg/contracts";

/** Bytes of bodies that a process holds at one time. */
export interface BodyMemoryLimits {
  readonly inAll: number;
  /** Of one project, or of one organization where service accounts call. */
  readonly perOwner: number;
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
   * @throws Problem `too_many_requests` (429) when the owner's bodies did not end in time, `unavailable` (503) when those
   *   of all did not; both name the limit.
   */
  reserve(owner: string, bytes: number): Promise<Reservation>;
}

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly admit: () => void;
}

const maxWaiting = 1_000;
const retryAfter = { "Retry-After": "1" };

const fits = (used: number, bytes: number, limit: number): boolean => used === 0 || used + bytes <= limit;

class SharedBodyMemory implements BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #onRefused: (limit: string) => void;
  readonly #owners = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #reserved = 0;

  constructor(limits: BodyMemoryLimits, onRefused: (limit: string) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  async reserve(owner: string, bytes: number): Promise<Reservation> {
    const isAdmitted = this.#waiting.size === 0 && this.#fitsOwner(owner, bytes) && this.#fitsAll(bytes);
    if (isAdmitted) return this.#take(owner, bytes);
    if (this.#waiting.size >= maxWaiting) throw this.#refusal(!this.#fitsOwner(owner, bytes));
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        owner,
        bytes,
        admit: () => {
          clearTimeout(timer);
          resolve(this.#take(owner, bytes));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(one);
        reject(this.#refusal(!this.#fitsOwner(owner, bytes)));
        this.#admitWaiting();
      }, this.#limits.waitMs);
      this.#waiting.add(one);
      // Others may wait for their own project only.
      this.#admitWaiting();
    });
  }

  #usedBy(owner: string): number {
    return this.#owners.get(owner) ?? 0;
  }

  #fitsOwner(owner: string, bytes: number): boolean {
    return fits(this.#usedBy(owner), bytes, this.#limits.perOwner);
  }

  #fitsAll(bytes: number): boolean {
    return fits(this.#reserved, bytes, this.#limits.inAll);
  }

  #add(owner: string, bytes: number): void {
    this.#reserved += bytes;
    const used = this.#usedBy(owner) + bytes;
    if (used > 0) this.#owners.set(owner, used);
    else this.#owners.delete(owner);
  }

  /** Of those whose owner is below its limit, the one whose owner has least; of one owner, the one that waits longest. */
  #next(): Waiting | undefined {
    let found: Waiting | undefined;
    for (const each of this.#waiting)
      if (
        this.#fitsOwner(each.owner, each.bytes) &&
        (found === undefined || this.#usedBy(each.owner) < this.#usedBy(found.owner))
      )
        found = each;
    return found;
  }

  #admitWaiting(): void {
    // One that does not fit is not passed by smaller ones, which could keep it waiting for ever.
    for (let one = this.#next(); one !== undefined && this.#fitsAll(one.bytes); one = this.#next()) {
      this.#waiting.delete(one);
      one.admit();
    }
  }

  #take(owner: string, bytes: number): Reservation {
    let held = bytes;
    this.#add(owner, held);
    const keep = (wanted: number): void => {
      if (wanted >= held) return;
      this.#add(owner, wanted - held);
      held = wanted;
      if (this.#waiting.size > 0) this.#admitWaiting();
    };
    return { shrink: keep, release: () => keep(0) };
  }

  #refusal(isOfOwner: boolean): Problem {
    this.#onRefused("bytes of bodies");
    const { perOwner, inAll } = this.#limits;
    return new Problem(isOfOwner ? "too_many_requests" : "unavailable", {
      errors: [
        isOfOwner
          ? `bytes of bodies: at most ${perOwner} of one project at one time (BODY_BYTES_PER_PROJECT)`
          : `bytes of bodies: at most ${inAll} of a process at one time (BODY_BYTES)`,
      ],
      headers: retryAfter,
    });
  }
}

/** @param onRefused called with the name of the limit at each refusal. */
export const openBodyMemory = (
  limits: BodyMemoryLimits,
  onRefused: (limit: string) => void = () => undefined,
): BodyMemory => new SharedBodyMemory(limits, onRefused);

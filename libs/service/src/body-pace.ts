import { Problem } from "@ikg/contracts";

/** Bytes of large bodies that a process takes into work in a second. */
export interface BodyPaceLimits {
  /** Of all; one project, or one organization where service accounts call, has at most half of it. */
  readonly bytesPerSecond: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

/**
 * When large bodies are taken into work. A process parses and records bodies in one thread: as long as it works on one,
 * no other request is answered.
 */
export interface BodyPace {
  /** Notes a request of an owner, of whatever size. */
  note(owner: string): void;
  /**
   * Resolves when the body may be processed: at once while no other project is active.
   *
   * @param waitMs how long it waits at most.
   * @throws Problem `too_many_requests` (429) when the owner's bodies before it take longer, `unavailable` (503) when
   *   those of others do; both name the setting.
   */
  admit(owner: string, bytes: number, waitMs: number): Promise<void>;
}

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly begin: () => void;
}

const maxWaiting = 1_000;
/** An owner that sent a request within this time counts as active: it would have to wait. */
const othersMs = 10_000;
/** Time of the process for each millisecond in which a body kept it from everything else: small values take long to parse. */
const timeOfWork = 8;
const retryAfter = { "Retry-After": "1" };

/** When another owner than a given one sent its last request. */
const openLastOther = (now: () => number) => {
  let last: { owner: string; at: number } | undefined;
  let beforeAt = -Infinity;
  return {
    note: (owner: string): void => {
      if (last === undefined) last = { owner, at: now() };
      else if (last.owner === owner) last.at = now();
      else {
        beforeAt = last.at;
        last = { owner, at: now() };
      }
    },
    of: (owner: string): number => (last === undefined || last.owner === owner ? beforeAt : last.at),
  };
};

class FairBodyPace implements BodyPace {
  readonly #bytesPerSecond: number;
  readonly #now: () => number;
  readonly #onRefused: (limit: string) => void;
  readonly #others: ReturnType<typeof openLastOther>;
  readonly #waiting = new Set<Waiting>();
  /** When the next body may start: of each owner, and of all. */
  readonly #nextOf = new Map<string, number>();
  #nextOfAll = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A body is processed, and its time is not known yet: a timer may be due before. */
  #isMeasuring = false;

  constructor({ bytesPerSecond, now }: Required<BodyPaceLimits>, onRefused: (limit: string) => void) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#now = now;
    this.#onRefused = onRefused;
    this.#others = openLastOther(now);
  }

  note(owner: string): void {
    this.#others.note(owner);
  }

  async admit(owner: string, bytes: number, waitMs: number): Promise<void> {
    if (this.#now() - this.#others.of(owner) > othersMs) return;
    if (this.#waiting.size >= maxWaiting) throw this.#refusal(owner);
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        owner,
        bytes,
        begin: () => {
          clearTimeout(end);
          resolve();
        },
      };
      const end = setTimeout(() => {
        this.#waiting.delete(one);
        reject(this.#refusal(owner));
        this.#startWaiting();
      }, waitMs);
      this.#waiting.add(one);
      this.#startWaiting();
    });
  }

  #turnOf(owner: string): number {
    return this.#nextOf.get(owner) ?? 0;
  }

  #msOf(bytes: number): number {
    return (bytes / this.#bytesPerSecond) * 1_000;
  }

  #delayNext(owner: string, ms: number): void {
    const now = this.#now();
    this.#nextOfAll = Math.max(now, this.#nextOfAll) + ms;
    this.#nextOf.set(owner, Math.max(now, this.#turnOf(owner)) + 2 * ms);
  }

  #start({ owner, bytes, begin }: Waiting): void {
    for (const [each, at] of this.#nextOf) if (at < this.#now() - othersMs) this.#nextOf.delete(each);
    this.#delayNext(owner, this.#msOf(bytes));
    const began = this.#now();
    this.#isMeasuring = true;
    begin();
    // It runs when the body is parsed and checked: nothing is awaited before.
    setImmediate(() => {
      this.#isMeasuring = false;
      const more = (this.#now() - began) * timeOfWork - this.#msOf(bytes);
      if (more > 0) this.#delayNext(owner, more);
      // What arrived meanwhile is answered before the next large one.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#startWaiting, 0);
    });
  }

  /** Of the owner whose turn was earliest, or comes soonest, the one that waits longest. */
  #first(): Waiting | undefined {
    let found: Waiting | undefined;
    for (const each of this.#waiting)
      if (found === undefined || this.#turnOf(each.owner) < this.#turnOf(found.owner)) found = each;
    return found;
  }

  readonly #startWaiting = (): void => {
    if (this.#isMeasuring) return;
    clearTimeout(this.#timer);
    const next = this.#first();
    if (next === undefined) return;
    const inMs = Math.max(this.#nextOfAll, this.#turnOf(next.owner)) - this.#now();
    if (inMs > 0) {
      this.#timer = setTimeout(this.#startWaiting, Math.ceil(inMs));
      return;
    }
    this.#waiting.delete(next);
    this.#start(next);
  };

  #refusal(owner: string): Problem {
    const isOfOwner = this.#turnOf(owner) >= this.#nextOfAll;
    const rate = this.#bytesPerSecond;
    this.#onRefused("bytes of bodies per second");
    return new Problem(isOfOwner ? "too_many_requests" : "unavailable", {
      errors: [
        isOfOwner
          ? `bytes of bodies per second: at most ${Math.floor(rate / 2)} of one project (half of BODY_BYTES_PER_SECOND)`
          : `bytes of bodies per second: at most ${rate} of a process (BODY_BYTES_PER_SECOND)`,
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

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
 * nobody else is answered.
 */
export interface BodyPace {
  /** States that an owner asks for something, of whatever size. */
  note(owner: string): void;
  /**
   * Resolves when the body is to be worked on: at once while no other project asks.
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
/** Who asked within this time is somebody who would wait. */
const othersMs = 10_000;
/** Time of the process for each millisecond in which a body kept it from everything else: small values take long to parse. */
const timeOfWork = 8;
const retryAfter = { "Retry-After": "1" };

/** When somebody else than an owner asked last. */
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

/** @param onRefused hears of each refusal, by the limit's name. */
export const openBodyPace = (
  { bytesPerSecond, now = () => performance.now() }: BodyPaceLimits,
  onRefused: (limit: string) => void = () => undefined,
): BodyPace => {
  const others = openLastOther(now);
  const waiting = new Set<Waiting>();
  /** When the next body may start: of each owner, and of all. */
  const nextOf = new Map<string, number>();
  let nextOfAll = 0;
  let timer: NodeJS.Timeout | undefined;
  /** A body is at work, and its time is not known yet: a timer may be due before. */
  let isMeasuring = false;

  const ownersTurn = (owner: string): number => nextOf.get(owner) ?? 0;
  const msOf = (bytes: number): number => (bytes / bytesPerSecond) * 1_000;

  const delayNext = (owner: string, ms: number): void => {
    nextOfAll = Math.max(now(), nextOfAll) + ms;
    nextOf.set(owner, Math.max(now(), ownersTurn(owner)) + 2 * ms);
  };

  const start = ({ owner, bytes, begin }: Waiting): void => {
    for (const [each, at] of nextOf) if (at < now() - othersMs) nextOf.delete(each);
    delayNext(owner, msOf(bytes));
    const began = now();
    isMeasuring = true;
    begin();
    // It runs when the body is parsed and checked: nothing is awaited before.
    setImmediate(() => {
      isMeasuring = false;
      const more = (now() - began) * timeOfWork - msOf(bytes);
      if (more > 0) delayNext(owner, more);
      // What came meanwhile is answered before the next large one.
      clearTimeout(timer);
      timer = setTimeout(startWaiting);
    });
  };

  /** The owner whose turn is longest ago, or comes soonest; of one owner, who waits longest. */
  const first = (): Waiting | undefined => {
    let found: Waiting | undefined;
    for (const each of waiting)
      if (found === undefined || ownersTurn(each.owner) < ownersTurn(found.owner)) found = each;
    return found;
  };

  const startWaiting = (): void => {
    if (isMeasuring) return;
    clearTimeout(timer);
    const next = first();
    if (next === undefined) return;
    const inMs = Math.max(nextOfAll, ownersTurn(next.owner)) - now();
    if (inMs > 0) {
      timer = setTimeout(startWaiting, Math.ceil(inMs));
      return;
    }
    waiting.delete(next);
    start(next);
  };

  const refusal = (owner: string): Problem => {
    const ofOwner = ownersTurn(owner) >= nextOfAll;
    onRefused("bytes of bodies per second");
    return new Problem(ofOwner ? "too_many_requests" : "unavailable", {
      errors: [
        ofOwner
          ? `bytes of bodies per second: at most ${Math.floor(bytesPerSecond / 2)} of one project (half of BODY_BYTES_PER_SECOND)`
          : `bytes of bodies per second: at most ${bytesPerSecond} of a process (BODY_BYTES_PER_SECOND)`,
      ],
      headers: retryAfter,
    });
  };

  return {
    note: others.note,
    admit: async (owner, bytes, waitMs) => {
      if (now() - others.of(owner) > othersMs) return;
      if (waiting.size >= maxWaiting) throw refusal(owner);
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
          waiting.delete(one);
          reject(refusal(owner));
          startWaiting();
        }, waitMs);
        waiting.add(one);
        startWaiting();
      });
    },
  };
};

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

/** @param onRefused hears of each refusal, by the limit's name. */
export const openBodyMemory = (
  { inAll, perOwner, waitMs }: BodyMemoryLimits,
  onRefused: (limit: string) => void = () => undefined,
): BodyMemory => {
  const owners = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let reserved = 0;

  const of = (owner: string): number => owners.get(owner) ?? 0;
  const fits = (used: number, bytes: number, limit: number): boolean => used === 0 || used + bytes <= limit;
  const isOwnersTurn = ({ owner, bytes }: Waiting): boolean => fits(of(owner), bytes, perOwner);

  const add = (owner: string, bytes: number): void => {
    reserved += bytes;
    const now = of(owner) + bytes;
    if (now > 0) owners.set(owner, now);
    else owners.delete(owner);
  };

  /** Of those whose owner has room, whose owner has least; of one owner, who waits longest. */
  const next = (): Waiting | undefined => {
    let found: Waiting | undefined;
    for (const each of waiting)
      if (isOwnersTurn(each) && (found === undefined || of(each.owner) < of(found.owner))) found = each;
    return found;
  };

  const admitWaiting = (): void => {
    // One that does not fit is not passed by smaller ones, which could go on for ever.
    for (let one = next(); one !== undefined && fits(reserved, one.bytes, inAll); one = next()) {
      waiting.delete(one);
      one.admit();
    }
  };

  const take = (owner: string, bytes: number): Reservation => {
    let held = bytes;
    add(owner, held);
    const keep = (wanted: number): void => {
      if (wanted >= held) return;
      add(owner, wanted - held);
      held = wanted;
      if (waiting.size > 0) admitWaiting();
    };
    return { shrink: keep, release: () => keep(0) };
  };

  const refusal = (ofOwner: boolean): Problem => {
    onRefused("bytes of bodies");
    return ofOwner
      ? new Problem("too_many_requests", {
          errors: [
            `bytes of bodies: at most ${perOwner} of one project at one time (BODY_BYTES_PER_PROJECT)`,
          ],
          headers: retryAfter,
        })
      : new Problem("unavailable", {
          errors: [`bytes of bodies: at most ${inAll} of a process at one time (BODY_BYTES)`],
          headers: retryAfter,
        });
  };

  return {
    reserve: async (owner, bytes) => {
      if (waiting.size === 0 && fits(of(owner), bytes, perOwner) && fits(reserved, bytes, inAll))
        return take(owner, bytes);
      if (waiting.size >= maxWaiting) throw refusal(!fits(of(owner), bytes, perOwner));
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          owner,
          bytes,
          admit: () => {
            clearTimeout(timer);
            resolve(take(owner, bytes));
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(one);
          reject(refusal(!isOwnersTurn(one)));
          admitWaiting();
        }, waitMs);
        waiting.add(one);
        // Others may wait for their own project only.
        admitWaiting();
      });
    },
  };
};

import type { OrganizationQueue, QueueSnapshot } from "./queue-snapshot.ts";
import { firstOfEach } from "./turn-order.ts";

/** The first waiting job of an organization. */
interface Wait {
  readonly id: string;
  /** When a worker began with it last, or when it was added; absent once it has ended. */
  readonly beganAt: number | undefined;
  /** When it was found so for the first time. */
  readonly since: number;
}

/**
 * Compares the first waiting jobs of organizations from one call to the next: another job, or the same one after a turn, is
 * progress of its organization. One job of each organization is read.
 *
 * @param now milliseconds of a clock that never goes back.
 * @returns the longest time that an organization has waited without progress, in milliseconds, counted from the first call
 * that finds it waiting.
 */
export const openOrganizationWaits = (
  queue: Pick<OrganizationQueue, "getJob">,
  read: () => Promise<QueueSnapshot>,
  now: () => number,
): (() => Promise<number>) => {
  let waits: ReadonlyMap<string, Wait> = new Map();
  return async () => {
    const { next, behind } = await read();
    const firsts = firstOfEach([...next, ...behind].filter(({ takesTurns }) => takesTurns));
    const entries = await Promise.all(
      firsts.map(async ({ id, organization }) => {
        const job = await queue.getJob(id);
        const beganAt = job?.processedOn ?? job?.timestamp;
        const before = waits.get(organization);
        const since = before?.id === id && before.beganAt === beganAt ? before.since : now();
        return [organization, { id, beganAt, since }] as const;
      }),
    );
    waits = new Map(entries);
    return Math.max(0, ...entries.map(([, { since }]) => now() - since));
  };
};

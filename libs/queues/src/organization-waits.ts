import type { OrganizationQueue, QueueSnapshot } from "./queue-snapshot.ts";
import { firstOfEach } from "./turn-order.ts";

/** The job of an organization that is observed: the first one that waited after the last turn. */
interface Wait {
  readonly id: string;
  /** When a worker began with it last, or when it was added. */
  readonly beganAt: number;
  /** When the organization had its last turn, as far as it is known. */
  readonly since: number;
}

/**
 * Observes the first waiting job of each organization from one call to the next: its next turn, or its end, is a turn of the
 * organization. Before that, the newest turn of the waiting jobs counts, or the newest one that was added. One job of each
 * organization is read, and all at the first call that finds it waiting. Active jobs are not observed: an organization whose
 * jobs all are active does not wait, not even while every worker is dead and none finds them stalled.
 *
 * @param now milliseconds since the epoch.
 * @returns the longest time that an organization with waiting jobs has had no turn, in milliseconds.
 */
export const openOrganizationWaits = (
  queue: Pick<OrganizationQueue, "getJob">,
  read: () => Promise<QueueSnapshot>,
  now: () => number,
): (() => Promise<number>) => {
  let waits: ReadonlyMap<string, Wait> = new Map();
  /** When a worker began with a job last, or when it was added; now once it has ended. */
  const beganAtOf = async ({ id }: { readonly id: string }): Promise<number> => {
    const job = await queue.getJob(id);
    return job === undefined ? now() : (job.processedOn ?? job.timestamp);
  };
  return async () => {
    const { next, behind } = await read();
    const turns = [...next, ...behind].filter(({ takesTurns }) => takesTurns);
    const byOrganization = Map.groupBy(turns, ({ organization }) => organization);
    const entries = await Promise.all(
      firstOfEach(turns).map(async (first) => {
        const { id, organization } = first;
        const before = waits.get(organization);
        const observed = before === undefined ? (byOrganization.get(organization) ?? []) : [before];
        const since = Math.max(...(await Promise.all(observed.map(beganAtOf))));
        const wait = before?.beganAt === since ? before : { id, beganAt: await beganAtOf(first), since };
        return [organization, wait] as const;
      }),
    );
    waits = new Map(entries);
    return Math.max(0, ...entries.map(([, { since }]) => now() - since));
  };
};

import {
  type JobOwner,
  openSnapshots,
  type OrganizationQueue,
  type QueueJob,
  type QueueSnapshot,
} from "./queue-snapshot.ts";
import { planChanges, type PriorityChanges } from "./turn-order.ts";
import { organizationOf, type TurnOwner } from "./turn-owner.ts";
import { turnPriority } from "./turn-priorities.ts";

/** The part of an active job that the end of its turn needs. */
type EndingJob = Pick<QueueJob, "id" | "data" | "changePriority">;

/**
 * Lets organizations share the workers of a queue, and the projects of each take turns. Of each organization
 * without an active job, one job has no priority: it is in the wait list, which workers take from first. All
 * other jobs have the priority `behind`, in the order in which they came. Where every organization that waits
 * has an active job, the first job of one with the fewest is in the wait list, unless it is the first of all
 * anyway.
 *
 * Any number of processes keep that order at once. Where one of them is killed, or two change it at the same
 * moment, an organization may have two jobs in the wait list, or none, until the next job is taken. The job
 * of a killed worker counts as active until its lock has expired and BullMQ has found it stalled.
 */
export interface OrganizationTurns {
  /**
   * The priority of a job that is about to be added. The queue is read at most once a second for it;
   * `restore` corrects a priority that was out of date.
   *
   * @throws as Redis.
   */
  priorityOf(owner: TurnOwner): Promise<number>;
  /**
   * Ends the turn of an active job that is about to wait again: corrects the order, with this job as the last
   * one that waits, and gives it its priority there. Never fails: `restore` corrects what this does not.
   */
  endTurn(job: EndingJob): Promise<void>;
  /**
   * Corrects the order for all organizations; called when a job was taken. Never fails: the next call
   * corrects what this one does not.
   */
  restore(): Promise<void>;
}

/** How old the snapshot may be that `priorityOf` answers from, in milliseconds. */
const maxAgeMs = 1_000;

/** The snapshot as it is once a job whose turn ends waits again. */
const withWaiting = ({ active, next, behind }: QueueSnapshot, job: JobOwner): QueueSnapshot => {
  const isOther = ({ id }: JobOwner): boolean => id !== job.id;
  return {
    active: active.filter(isOther),
    next: next.filter(isOther),
    behind: [...behind.filter(isOther), job],
  };
};

/** The organizations that have an active job, or one that waits for its turn. */
const organizationsIn = ({ active, next, behind }: QueueSnapshot): Set<string> => {
  const waiting = [...next, ...behind].filter(({ takesTurns }) => takesTurns);
  return new Set([...active, ...waiting].map(({ organization }) => organization));
};

/** Organizations with jobs, as they were at most a second ago, and those that `add` has named since. */
const openRecentOrganizations = (read: () => Promise<QueueSnapshot>) => {
  let readAt = -Infinity;
  let latest: Promise<Set<string>> | undefined;
  const current = (): Promise<Set<string>> => {
    if (latest !== undefined && performance.now() - readAt < maxAgeMs) return latest;
    readAt = performance.now();
    const organizations = read().then(organizationsIn);
    latest = organizations;
    // A failure is not an answer for the next second.
    organizations.catch(() => {
      if (latest === organizations) latest = undefined;
    });
    return organizations;
  };
  return {
    /** @returns false when the organization was there */
    add: async (organization: string): Promise<boolean> => {
      const organizations = await current();
      if (organizations.has(organization)) return false;
      organizations.add(organization);
      return true;
    },
  };
};

/** Where priorities are changed, and where a failure is reported. */
interface ChangeParts {
  readonly queue: OrganizationQueue;
  readonly onError: (error: Error) => void;
}

const isGone = async (queue: OrganizationQueue, id: string): Promise<boolean> => {
  try {
    return (await queue.getJob(id)) === undefined;
  } catch {
    return false;
  }
};

/**
 * Changes the priority of a job. A failure is reported, and does not stop the changes of other jobs.
 *
 * @param from the job is changed only while it has this priority: another process may have changed it.
 */
const changePriority = async (
  { queue, onError }: ChangeParts,
  id: string,
  options: { readonly priority: number; readonly lifo?: boolean },
  from?: number,
): Promise<void> => {
  try {
    const job = await queue.getJob(id);
    if (job === undefined || (from !== undefined && job.priority !== from)) return;
    await job.changePriority(options);
  } catch (error) {
    // A job that has ended meanwhile needs no priority.
    if (!(await isGone(queue, id))) onError(error as Error); // a client of Redis throws no other values
  }
};

const applyChanges = async (
  parts: ChangeParts,
  { promotions, demotions, spares }: PriorityChanges,
): Promise<void> => {
  // Before the others of that priority: a demotion, or a second one by another process, costs no position.
  const behind = { priority: turnPriority.behind, lifo: true };
  const spare = { priority: turnPriority.spare };
  await Promise.all([
    ...demotions.map((id) => changePriority(parts, id, behind)),
    ...spares.map((id) => changePriority(parts, id, spare)),
  ]);
  // A second promotion would make a job the last one of the wait list.
  const next = { priority: turnPriority.next };
  for (const id of promotions) await changePriority(parts, id, next, turnPriority.behind);
};

/**
 * @param onError called when the order cannot be corrected now, with the reason.
 * @param takesTurns false for spare work: it is never promoted, and moved back to the priority `spare`.
 */
export const openOrganizationTurns = <T extends TurnOwner>(
  queue: OrganizationQueue<T>,
  onError: (error: Error) => void,
  takesTurns: (data: T) => boolean = () => true,
): OrganizationTurns => {
  const read = openSnapshots(queue, takesTurns);
  const recent = openRecentOrganizations(read);
  const parts = { queue, onError };
  return {
    priorityOf: async (owner) =>
      (await recent.add(organizationOf(owner))) ? turnPriority.next : turnPriority.behind,
    endTurn: async (job) => {
      try {
        const { id = "", data } = job;
        const owner = { id, organization: organizationOf(data), takesTurns: true };
        const { promotions, ...changes } = planChanges(withWaiting(await read(), owner));
        await applyChanges(parts, { ...changes, promotions: promotions.filter((each) => each !== id) });
        const isNext = promotions.includes(id);
        await job.changePriority({ priority: isNext ? turnPriority.next : turnPriority.behind });
      } catch (error) {
        onError(error as Error); // a client of Redis throws no other values
      }
    },
    restore: async () => {
      try {
        await applyChanges(parts, planChanges(await read()));
      } catch (error) {
        onError(error as Error); // a client of Redis throws no other values
      }
    },
  };
};

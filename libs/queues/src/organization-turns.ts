import { openOrganizationWaits } from "./organization-waits.ts";
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

/** The part of an active job that turns need. */
type ActiveJob<T extends TurnOwner> = Pick<QueueJob<T>, "id" | "data">;

/**
 * Lets organizations share the workers of a queue, and the projects of each take turns. Of each organization
 * without an active job, one job has no priority: it is in the wait list, which workers take from first. All
 * other jobs have the priority `behind`, in the order in which they came. Where every organization that waits
 * has an active job, the first job of one with the fewest is in the wait list, unless it is the first of all
 * anyway.
 *
 * Any number of processes keep that order at once. Where one of them is killed, or two change it at the same
 * moment, an organization may have two jobs in the wait list, or none, until the next job is taken; also where one
 * process reads the queue before a job whose turn it has just ended has left the active ones. The job
 * of a killed worker counts as active until its lock has expired and BullMQ has found it stalled; it is then
 * the first one of the wait list.
 *
 * `beginTurn`, `endTurn` and `releaseWorker` correct the order for all organizations. They never fail: the next
 * one corrects what one of them does not. A process corrects it once for all calls that come before it begins to.
 */
export interface OrganizationTurns<T extends TurnOwner = TurnOwner> {
  /**
   * The priority of a job that is about to be added. The queue is read at most once a second for it; the next
   * turn corrects a priority that was out of date.
   *
   * @throws as Redis.
   */
  priorityOf(owner: TurnOwner): Promise<number>;
  /** Called when a worker has taken a job. */
  beginTurn(job: ActiveJob<T>): Promise<void>;
  /**
   * Called when an active job is about to wait again, as the last one: it gets its priority there, which is
   * `spare` for spare work.
   *
   * @param isDelayed true when it waits after a pause, as `behind` then.
   */
  endTurn(job: ActiveJob<T>, isDelayed: boolean): Promise<void>;
  /** Called when an active job is about to end: its worker takes another one right then. */
  releaseWorker(job: ActiveJob<T>): Promise<void>;
  /**
   * The longest time that an organization with waiting jobs has had no turn, in milliseconds. It is as exact as
   * calls are frequent.
   *
   * @throws as Redis.
   */
  longestWaitMs(): Promise<number>;
}

/** An active job whose turn is about to end. */
interface TurnEnd {
  readonly owner: JobOwner;
  /** What the job does next. */
  readonly outcome: "waits" | "pauses" | "ends";
}

/** How long `priorityOf` answers from one read, in milliseconds. */
const maxAgeMs = 1_000;

/** The snapshot as it is once these turns have ended. */
const afterTurns = ({ active, next, behind }: QueueSnapshot, ends: readonly TurnEnd[]): QueueSnapshot => {
  const ids = new Set(ends.map(({ owner }) => owner.id));
  const isOther = ({ id }: JobOwner): boolean => !ids.has(id);
  const waiting = ends.filter(({ outcome }) => outcome === "waits").map(({ owner }) => owner);
  return {
    active: active.filter(isOther),
    next: next.filter(isOther),
    behind: [...behind.filter(isOther), ...waiting],
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
  let cached: Promise<Set<string>> | undefined;
  const current = (): Promise<Set<string>> => {
    if (cached !== undefined && performance.now() - readAt < maxAgeMs) return cached;
    readAt = performance.now();
    const organizations = read().then(organizationsIn);
    cached = organizations;
    // A failure is not an answer for the next second.
    organizations.catch(() => {
      if (cached === organizations) cached = undefined;
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
  // A demotion costs no position: the job comes before the others of that priority; several that are demoted at once come by
  // their ids. One that another process has demoted may have had its turn since.
  const behind = { priority: turnPriority.behind, lifo: true };
  const spare = { priority: turnPriority.spare };
  await Promise.all([
    ...demotions.map((id) => changePriority(parts, id, behind, turnPriority.next)),
    ...spares.map((id) => changePriority(parts, id, spare)),
  ]);
  // A second promotion would make a job the last one of the wait list.
  const next = { priority: turnPriority.next };
  for (const id of promotions) await changePriority(parts, id, next, turnPriority.behind);
};

/** The priority of a job that waits again, by the changes that were planned with it. */
const priorityIn = ({ promotions }: PriorityChanges, { id, takesTurns }: JobOwner): number => {
  if (!takesTurns) return turnPriority.spare;
  return promotions.includes(id) ? turnPriority.next : turnPriority.behind;
};

/**
 * Collects items for one run at a time.
 *
 * @returns adds items to the next run, which begins once the one under way is over; resolves once it is over itself.
 */
const openBatches = <T>(
  run: (items: readonly T[]) => Promise<void>,
): ((...items: readonly T[]) => Promise<void>) => {
  let next: T[] | undefined;
  let latest: Promise<void> = Promise.resolve();
  const runAfter = async (former: Promise<void>, items: readonly T[]): Promise<void> => {
    await former;
    next = undefined;
    await run(items);
  };
  return (...items) => {
    if (next === undefined) {
      next = [];
      latest = runAfter(latest, next);
    }
    next.push(...items);
    return latest;
  };
};

/**
 * @param onError called when the order cannot be corrected now, with the reason.
 * @param takesTurns false for spare work: it is never promoted, and moved back to the priority `spare`.
 * @param now milliseconds since the epoch.
 */
export const openOrganizationTurns = <T extends TurnOwner>(
  queue: OrganizationQueue<T>,
  onError: (error: Error) => void,
  takesTurns: (data: T) => boolean = () => true,
  now: () => number = Date.now,
): OrganizationTurns<T> => {
  const { read, ownerOf, removeOwner } = openSnapshots(queue, takesTurns, now);
  const recent = openRecentOrganizations(read);
  const parts = { queue, onError };
  const correct = openBatches<TurnEnd>(async (ends) => {
    try {
      const changes = planChanges(afterTurns(await read(), ends));
      const waiting = ends.filter(({ outcome }) => outcome !== "ends").map(({ owner }) => owner);
      // These jobs are still active: it is the priority with which they wait later.
      await Promise.all(
        waiting.map((owner) => changePriority(parts, owner.id, { priority: priorityIn(changes, owner) })),
      );
      await applyChanges(parts, changes);
    } catch (error) {
      onError(error as Error); // a client of Redis throws no other values
    }
  });
  return {
    priorityOf: async (owner) =>
      (await recent.add(organizationOf(owner))) ? turnPriority.next : turnPriority.behind,
    beginTurn: (job) => {
      ownerOf(job);
      return correct();
    },
    endTurn: (job, isDelayed) => correct({ owner: ownerOf(job), outcome: isDelayed ? "pauses" : "waits" }),
    releaseWorker: async (job) => {
      const owner = ownerOf(job);
      await correct({ owner, outcome: "ends" });
      removeOwner(owner);
    },
    longestWaitMs: openOrganizationWaits(queue, read, now),
  };
};

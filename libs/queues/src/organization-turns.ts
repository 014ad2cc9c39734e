import { openOrganizationWaits } from "./organization-waits.ts";
import {
  type JobOwner,
  openSnapshots,
  type OrganizationQueue,
  type QueueJob,
  type QueueSnapshot,
} from "./queue-snapshot.ts";
import { openRecentResult } from "./recent-result.ts";
import { withActive, withChanges, withoutJob, withWaiting } from "./snapshot-changes.ts";
import { planChanges, type PriorityChanges } from "./turn-order.ts";
import { organizationOf, type TurnOwner } from "./turn-owner.ts";
import { turnPriority } from "./turn-priorities.ts";

/** The part of an active job that turns need. */
type ActiveJob<T extends TurnOwner> = Pick<QueueJob<T>, "id" | "data">;

/** The part of an active job that the end of its turn needs. */
type EndingJob<T extends TurnOwner> = Pick<QueueJob<T>, "id" | "data" | "changePriority">;

/**
 * Lets organizations share the workers of a queue, and the projects of each take turns. Of each organization
 * without an active job, one job has no priority: it is in the wait list, which workers take from first. All
 * other jobs have the priority `behind`, in the order in which they came. Where every organization that waits
 * has an active job, the first job of one with the fewest is in the wait list, unless it is the first of all
 * anyway.
 *
 * Any number of processes keep that order at once. Where one of them is killed, or two change it at the same
 * moment, an organization may have two jobs in the wait list, or none, until the next job is taken. The same
 * holds for what other processes have changed in the 50 ms that a snapshot serves. The job of a killed worker
 * counts as active until its lock has expired and BullMQ has found it stalled.
 *
 * `beginTurn`, `endTurn` and `releaseWorker` correct the order for all organizations. They never fail: the next
 * one corrects what one of them does not.
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
   */
  endTurn(job: EndingJob<T>): Promise<void>;
  /** Called when an active job is about to end: its worker takes another one right then. */
  releaseWorker(job: ActiveJob<T>): Promise<void>;
  /**
   * The longest time that an organization has waited since its last turn, in milliseconds. It counts from the
   * first call in this process that finds the organization waiting, and is as exact as calls are frequent.
   *
   * @throws as Redis.
   */
  longestWaitMs(): Promise<number>;
}

/** How long `priorityOf` answers from one read, in milliseconds. */
const presenceMs = 1_000;

/** The organizations that have an active job, or one that waits for its turn. */
const organizationsIn = ({ active, next, behind }: QueueSnapshot): Set<string> => {
  const waiting = [...next, ...behind].filter(({ takesTurns }) => takesTurns);
  return new Set([...active, ...waiting].map(({ organization }) => organization));
};

/** The changes but for those of one job. */
const withoutChangesOf = (
  id: string,
  { promotions, demotions, spares }: PriorityChanges,
): PriorityChanges => {
  const isOther = (each: string): boolean => each !== id;
  return { promotions: promotions.filter(isOther), demotions, spares: spares.filter(isOther) };
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
 * @param now milliseconds of a clock that never goes back.
 */
export const openOrganizationTurns = <T extends TurnOwner>(
  queue: OrganizationQueue<T>,
  onError: (error: Error) => void,
  takesTurns: (data: T) => boolean = () => true,
  now: () => number = () => performance.now(),
): OrganizationTurns<T> => {
  const snapshots = openSnapshots(queue, takesTurns, now);
  const readSnapshot = async (): Promise<QueueSnapshot> => (await snapshots.recent()).value;
  const present = openRecentResult(async () => organizationsIn(await readSnapshot()), presenceMs, now);
  const parts = { queue, onError };
  /** The changes of priorities once a job has moved. The snapshot has both for the next correction. */
  const plan = async (owner: JobOwner, move: typeof withActive): Promise<PriorityChanges> => {
    const snapshot = await snapshots.recent();
    const current = move(snapshot.value, owner);
    const changes = planChanges(current);
    snapshot.value = withChanges(current, changes);
    return changes;
  };
  let latest: Promise<void> = Promise.resolve();
  /** Corrects the order once the former correction is done: each expects the changes of those before it. */
  const attempt = (correct: () => Promise<void>): Promise<void> => {
    latest = latest.then(correct).catch((error: unknown) => onError(error as Error)); // a client of Redis throws no other values
    return latest;
  };
  return {
    priorityOf: async (owner) => {
      const organization = organizationOf(owner);
      const organizations = await present.get();
      const isPresent = organizations.has(organization);
      organizations.add(organization);
      // The job that is added now is in no snapshot so far.
      snapshots.forget();
      return isPresent ? turnPriority.behind : turnPriority.next;
    },
    beginTurn: (job) =>
      attempt(async () => applyChanges(parts, await plan(snapshots.ownerOf(job), withActive))),
    endTurn: (job) =>
      attempt(async () => {
        const owner = snapshots.ownerOf(job);
        const changes = await plan(owner, withWaiting);
        await applyChanges(parts, withoutChangesOf(owner.id, changes));
        const turn = changes.promotions.includes(owner.id) ? turnPriority.next : turnPriority.behind;
        await job.changePriority({ priority: owner.takesTurns ? turn : turnPriority.spare });
      }),
    releaseWorker: (job) =>
      attempt(async () => applyChanges(parts, await plan(snapshots.ownerOf(job), withoutJob))),
    longestWaitMs: openOrganizationWaits(queue, readSnapshot, now),
  };
};

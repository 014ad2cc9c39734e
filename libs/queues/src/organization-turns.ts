import type { TurnOwner } from "./turn-owner.ts";
import { turnPriority } from "./turn-priorities.ts";

/** The part of a BullMQ job that turns of organizations need. */
interface OwnJob {
  readonly id?: string | undefined;
  readonly data: TurnOwner;
  changePriority(options: { readonly priority: number }): Promise<void>;
}

/** The part of a BullMQ queue that turns of organizations need. */
export interface OrganizationQueue {
  /** Ids of jobs. @param end index of the last one; -1: all */
  getRanges(
    types: ("wait" | "prioritized" | "active")[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<string[]>;
  getCountsPerPriority(priorities: number[]): Promise<Readonly<Record<string, number>>>;
  getJob(id: string): Promise<OwnJob | undefined>;
}

/**
 * Lets organizations take turns at a queue, and the projects of each among themselves. Of an organization that
 * no worker is at, one job has no priority, and stands in the list that workers take from first. All its other
 * jobs stand behind that list in the order in which they came: workers begin with them where no organization
 * waits.
 *
 * Any number of processes keep that order at once. Where one of them is killed, or two change it at the same
 * moment, an organization may have two jobs in the list, or none, until the next job is taken.
 */
export interface OrganizationTurns {
  /** The priority of a job that is added now. */
  priorityOf(owner: TurnOwner): Promise<number>;
  /** Ends the turn of a job: the next one comes forward, and this one gets the priority with which it waits. */
  place(job: OwnJob): Promise<void>;
  /**
   * Called when a job was taken. Corrects what is out of order, for all organizations. Never fails: the next call
   * corrects what this one does not.
   */
  restore(): Promise<void>;
}

/** Ids of jobs. */
interface JobIds {
  /** Those that workers are at. */
  readonly active: readonly string[];
  /** Those that wait, in the order in which they are taken. */
  readonly next: readonly string[];
  readonly behind: readonly string[];
}

interface Jobs extends JobIds {
  /** Organizations by id of a job; none for a job that is gone. */
  readonly organizations: ReadonlyMap<string, string>;
}

const organizationOf = ({ organization, project }: TurnOwner): string => organization ?? project;

const readIds = async (queue: OrganizationQueue): Promise<JobIds> => {
  const [active, next, counts] = await Promise.all([
    queue.getRanges(["active"], 0, -1, true),
    queue.getRanges(["wait"], 0, -1, true),
    queue.getCountsPerPriority([turnPriority.behind]),
  ]);
  const count = counts[turnPriority.behind] ?? 0;
  // They come before all of a lower priority.
  const behind = count === 0 ? [] : await queue.getRanges(["prioritized"], 0, count - 1, true);
  return { active, next, behind };
};

/** Reads the jobs of a queue. The organization of a job is read once for as long as the job is there. */
const openReader = (queue: OrganizationQueue): (() => Promise<Jobs>) => {
  let known: ReadonlyMap<string, string> = new Map();
  const find = async (id: string): Promise<readonly (readonly [string, string])[]> => {
    const organization = known.get(id);
    if (organization !== undefined) return [[id, organization]];
    const job = await queue.getJob(id);
    return job === undefined ? [] : [[id, organizationOf(job.data)]];
  };
  return async () => {
    const ids = await readIds(queue);
    const all = [...ids.active, ...ids.next, ...ids.behind];
    const found = await Promise.all(all.map((id) => find(id)));
    known = new Map(found.flat());
    return { ...ids, organizations: known };
  };
};

/** The jobs without one whose turn ends. */
const withoutJob = ({ active, next, behind, organizations }: Jobs, id: string | undefined): Jobs => ({
  active: active.filter((each) => each !== id),
  next: next.filter((each) => each !== id),
  behind: behind.filter((each) => each !== id),
  organizations,
});

const hasJobs = ({ active, next, behind, organizations }: Jobs, owner: TurnOwner): boolean => {
  const own = organizationOf(owner);
  return [active, next, behind].some((ids) => ids.some((id) => organizations.get(id) === own));
};

/** Which jobs have to move: of an organization that no worker is at, the first one that waits is next. */
const misplacedJobs = ({ active, next, behind, organizations }: Jobs) => {
  const served = new Set(active.map((id) => organizations.get(id)));
  const comesNext = (id: string): boolean => {
    const organization = organizations.get(id);
    if (organization === undefined || served.has(organization)) return false;
    served.add(organization);
    return true;
  };
  return { surplus: next.filter((id) => !comesNext(id)), missing: behind.filter((id) => comesNext(id)) };
};

/** @param onError called when the order cannot be corrected now */
export const openOrganizationTurns = (
  queue: OrganizationQueue,
  onError: (error: Error) => void,
): OrganizationTurns => {
  const read = openReader(queue);
  let reading: Promise<Jobs> | undefined;
  const move = async (id: string, priority: number): Promise<void> => {
    const job = await queue.getJob(id);
    await job?.changePriority({ priority }).catch(async (error: unknown) => {
      // A job that was taken and has ended meanwhile needs no place.
      if ((await queue.getJob(id)) !== undefined) throw error;
    });
  };
  const correct = async (jobs: Jobs): Promise<void> => {
    const { surplus, missing } = misplacedJobs(jobs);
    await Promise.all(surplus.map((id) => move(id, turnPriority.behind)));
    for (const id of missing) await move(id, turnPriority.next);
  };
  return {
    priorityOf: async (owner) => {
      // Many projects that are enqueued at once read the queue once.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return hasJobs(await reading, owner) ? turnPriority.behind : turnPriority.next;
    },
    place: async (job) => {
      const others = withoutJob(await read(), job.id);
      await correct(others).catch(onError);
      await job.changePriority({
        priority: hasJobs(others, job.data) ? turnPriority.behind : turnPriority.next,
      });
    },
    restore: async () => {
      await read().then(correct).catch(onError);
    },
  };
};

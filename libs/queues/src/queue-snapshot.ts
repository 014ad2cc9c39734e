import { organizationOf, type TurnOwner } from "./turn-owner.ts";
import { turnPriority } from "./turn-priorities.ts";

/** The part of a BullMQ job that turns of organizations need. */
export interface QueueJob<T extends TurnOwner = TurnOwner> {
  readonly id?: string | undefined;
  readonly data: T;
  readonly priority: number;
  /** @param options `lifo`: before the other jobs of the priority. */
  changePriority(options: { readonly priority: number; readonly lifo?: boolean }): Promise<void>;
}

/** The part of a BullMQ queue that turns of organizations need. */
export interface OrganizationQueue<T extends TurnOwner = TurnOwner> {
  /** Ids of jobs. @param end index of the last one; -1: all */
  getRanges(
    types: ("wait" | "prioritized" | "active")[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<string[]>;
  getCountsPerPriority(priorities: number[]): Promise<Readonly<Record<string, number>>>;
  getJob(id: string): Promise<QueueJob<T> | undefined>;
}

/** A job, with the part of its data that decides when it is taken. */
export interface JobOwner {
  readonly id: string;
  readonly organization: string;
  /** False for spare work, which is never before a job that takes turns. */
  readonly takesTurns: boolean;
}

/**
 * The jobs of a queue. Its lists are read by several commands: a job that moves may be in two of them, or in
 * none.
 */
export interface QueueSnapshot {
  readonly active: readonly JobOwner[];
  /** The wait list, in the order in which jobs are taken. */
  readonly next: readonly JobOwner[];
  /** The jobs of the priority `behind`, in the order in which they are taken. */
  readonly behind: readonly JobOwner[];
}

/** Ids of jobs, as `QueueSnapshot`. */
type SnapshotIds = Readonly<Record<keyof QueueSnapshot, readonly string[]>>;

/** An owner is forgotten once its job was in no snapshot for one to two times this, in milliseconds. */
const rotationMs = 60_000;

/** Owners by id of the job. They outlive the pauses of a job between its turns. */
const openOwnerCache = () => {
  let recent = new Map<string, JobOwner>();
  let former = new Map<string, JobOwner>();
  let rotatedAt = performance.now();
  return {
    get: (id: string): JobOwner | undefined => {
      const owner = recent.get(id) ?? former.get(id);
      if (owner !== undefined) recent.set(id, owner);
      return owner;
    },
    set: (owner: JobOwner): void => void recent.set(owner.id, owner),
    rotate: (): void => {
      if (performance.now() - rotatedAt < rotationMs) return;
      former = recent;
      recent = new Map();
      rotatedAt = performance.now();
    },
  };
};

const readIds = async (queue: OrganizationQueue): Promise<SnapshotIds> => {
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

/**
 * Reads snapshots of a queue. The data of a job is read once for as long as its owner is in the cache; that
 * of a job without an organization is read each time, since its next turn may add it.
 *
 * @param takesTurns false for spare work.
 */
export const openSnapshots = <T extends TurnOwner>(
  queue: OrganizationQueue<T>,
  takesTurns: (data: T) => boolean,
): (() => Promise<QueueSnapshot>) => {
  const cache = openOwnerCache();
  const readOwner = async (id: string): Promise<readonly JobOwner[]> => {
    const job = await queue.getJob(id);
    if (job === undefined) return [];
    const owner = { id, organization: organizationOf(job.data), takesTurns: takesTurns(job.data) };
    if (job.data.organization !== undefined) cache.set(owner);
    return [owner];
  };
  return async () => {
    cache.rotate();
    const ids = await readIds(queue);
    const all = new Set([...ids.active, ...ids.next, ...ids.behind]);
    const owners = new Map<string, JobOwner>();
    const missing: string[] = [];
    for (const id of all) {
      const owner = cache.get(id);
      if (owner === undefined) missing.push(id);
      else owners.set(id, owner);
    }
    for (const owner of (await Promise.all(missing.map(readOwner))).flat()) owners.set(owner.id, owner);
    // A job that has ended meanwhile has no owner.
    const ownersOf = (list: readonly string[]): readonly JobOwner[] =>
      list.flatMap((id) => owners.get(id) ?? []);
    return { active: ownersOf(ids.active), next: ownersOf(ids.next), behind: ownersOf(ids.behind) };
  };
};

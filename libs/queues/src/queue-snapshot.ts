import { LRUCache } from "lru-cache";
import { organizationOf, type TurnOwner } from "./turn-owner.ts";
import { turnPriority } from "./turn-priorities.ts";

/** The part of a BullMQ job that turns of organizations need. */
export interface QueueJob<T extends TurnOwner = TurnOwner> {
  readonly id?: string | undefined;
  readonly data: T;
  readonly priority: number;
  /** When it was added, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** When a worker began with it last; absent before the first time. */
  readonly processedOn?: number | undefined;
  /** @param options `lifo`: before the other jobs of the priority. */
  changePriority(options: { readonly priority: number; readonly lifo?: boolean }): Promise<void>;
}

/** The part of a BullMQ queue that turns of organizations need. */
export interface OrganizationQueue<T extends TurnOwner = TurnOwner> {
  /** Ids of jobs, of one list after the other, read at one moment. @param end index of the last one of each list; -1: all */
  getRanges(
    types: ("wait" | "prioritized" | "delayed" | "active")[],
    start: number,
    end: number,
    ascending: boolean,
  ): Promise<string[]>;
  getCountsPerPriority(priorities: number[]): Promise<Readonly<Record<string, number>>>;
  /** @param before counts only the jobs that are due before this moment, in milliseconds since the epoch. */
  getDelayedCount(before: number): Promise<number>;
  getJob(id: string): Promise<QueueJob<T> | undefined>;
}

/** A job, with the part of its data that decides when it is taken. */
export interface JobOwner {
  readonly id: string;
  readonly organization: string;
  /** False for spare work, which is never before a job that takes turns. */
  readonly takesTurns: boolean;
}

/** The jobs of a queue, each in one list. A job that moves while these are read may be in none. */
export interface QueueSnapshot {
  readonly active: readonly JobOwner[];
  /** The wait list, in the order in which jobs are taken. */
  readonly next: readonly JobOwner[];
  /**
   * The jobs of the priority `behind`, in the order in which they are taken, and then the delayed ones that are due and take
   * turns: only a worker that looks for a job moves these to the lists that it takes from.
   */
  readonly behind: readonly JobOwner[];
}

/** Snapshots of a queue, as one process reads them. */
export interface Snapshots<T extends TurnOwner> {
  /** @throws as Redis. */
  readonly read: () => Promise<QueueSnapshot>;
  /** The owner of a job, for later snapshots as well. */
  readonly ownerOf: (job: Pick<QueueJob<T>, "id" | "data">) => JobOwner;
  /** Called when a job is about to end: its owner is needed no longer. */
  readonly removeOwner: (owner: JobOwner) => void;
}

/** Ids of jobs, as `QueueSnapshot`, and of the delayed ones that are due. */
type SnapshotIds = Readonly<Record<keyof QueueSnapshot | "due", readonly string[]>>;

/** Jobs whose owners are cached; those beyond are read for each snapshot. */
const maxOwners = 50_000;
/** How long the owner of a job without an organization is cached, in milliseconds: its next turn may add one. */
const incompleteMs = 5_000;

/**
 * Reads which jobs wait at one moment, so that a change of a priority hides none: where a list has grown or shrunk since it was
 * counted, some are in the other one. Active jobs are read last, so that a job that is taken meanwhile is not missing.
 */
const readIds = async (queue: OrganizationQueue, now: number): Promise<SnapshotIds> => {
  const [counts, dueCount] = await Promise.all([
    queue.getCountsPerPriority([turnPriority.next, turnPriority.behind]),
    queue.getDelayedCount(now),
  ]);
  const next = counts[turnPriority.next] ?? 0;
  const count = next + (counts[turnPriority.behind] ?? 0);
  const [waiting, due, active] = await Promise.all([
    // Jobs of a lower priority come after those that were counted.
    queue.getRanges(["wait", "prioritized"], 0, count, true),
    dueCount === 0 ? [] : queue.getRanges(["delayed"], 0, dueCount - 1, true),
    queue.getRanges(["active"], 0, -1, true),
  ]);
  const activeIds = new Set(active);
  const inactive = (ids: readonly string[]): readonly string[] => ids.filter((id) => !activeIds.has(id));
  return {
    active,
    next: inactive(waiting.slice(0, next)),
    behind: inactive(waiting.slice(next, count)),
    due: inactive(due),
  };
};

/**
 * Reads snapshots of a queue. The data of a job is read once for as long as its owner is in the cache.
 *
 * @param takesTurns false for spare work.
 * @param now milliseconds since the epoch.
 */
export const openSnapshots = <T extends TurnOwner>(
  queue: OrganizationQueue<T>,
  takesTurns: (data: T) => boolean,
  now: () => number,
): Snapshots<T> => {
  const cache = new LRUCache<string, JobOwner>({ max: maxOwners, perf: { now }, ttlResolution: 0 });
  const ownerOf = ({ id = "", data }: Pick<QueueJob<T>, "id" | "data">): JobOwner => {
    const owner = { id, organization: organizationOf(data), takesTurns: takesTurns(data) };
    cache.set(id, owner, { ttl: data.organization === undefined ? incompleteMs : 0 });
    return owner;
  };
  const readOwner = async (id: string): Promise<readonly JobOwner[]> => {
    const job = await queue.getJob(id);
    return job === undefined ? [] : [ownerOf(job)];
  };
  const read = async (): Promise<QueueSnapshot> => {
    const ids = await readIds(queue, now());
    const owners = new Map<string, JobOwner>();
    const missing: string[] = [];
    for (const id of [...ids.active, ...ids.next, ...ids.behind, ...ids.due]) {
      const owner = cache.get(id);
      if (owner === undefined) missing.push(id);
      else owners.set(id, owner);
    }
    for (const owner of (await Promise.all(missing.map(readOwner))).flat()) owners.set(owner.id, owner);
    // A job that has ended meanwhile has no owner.
    const ownersOf = (list: readonly string[]): readonly JobOwner[] =>
      list.flatMap((id) => owners.get(id) ?? []);
    const due = ownersOf(ids.due).filter((owner) => owner.takesTurns);
    return {
      active: ownersOf(ids.active),
      next: ownersOf(ids.next),
      behind: [...ownersOf(ids.behind), ...due],
    };
  };
  return { read, ownerOf, removeOwner: ({ id }) => void cache.delete(id) };
};

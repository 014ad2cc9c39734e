import { LRUCache } from "lru-cache";
import { openRecentResult } from "./recent-result.ts";
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

/** The jobs of a queue, each in one list. A job that is requeued while these are read may be in none. */
export interface QueueSnapshot {
  readonly active: readonly JobOwner[];
  /** The wait list, in the order in which jobs are taken. */
  readonly next: readonly JobOwner[];
  /** The jobs of the priority `behind`, in the order in which they are taken. */
  readonly behind: readonly JobOwner[];
}

/** A snapshot that several callers use, each of which notes here what it changes in the queue. */
export interface RecentSnapshot {
  value: QueueSnapshot;
}

/** Snapshots of a queue, as one process reads them. */
export interface Snapshots<T extends TurnOwner> {
  /**
   * A snapshot that is at most 50 ms old, with the changes of its users.
   *
   * @throws as Redis.
   */
  readonly recent: () => Promise<RecentSnapshot>;
  /** The queue has changed otherwise: the next call of `recent` reads it. */
  readonly forget: () => void;
  /** The owner of a job, for later snapshots as well. */
  readonly ownerOf: (job: Pick<QueueJob<T>, "id" | "data">) => JobOwner;
}

/** Ids of jobs, as `QueueSnapshot`. */
type SnapshotIds = Readonly<Record<keyof QueueSnapshot, readonly string[]>>;

const maxAgeMs = 50;
/** Jobs whose owners are cached; those beyond are read for each snapshot. */
const maxOwners = 50_000;
/** How long the owner of a job without an organization is cached, in milliseconds: its next turn may add one. */
const incompleteMs = 5_000;

/**
 * Reads which jobs wait at one moment, so that a change of a priority hides none: where a list has grown or shrunk since it was
 * counted, some are in the other one. Active jobs are read last, so that a job that is taken meanwhile is not missing.
 */
const readIds = async (queue: OrganizationQueue): Promise<SnapshotIds> => {
  const counts = await queue.getCountsPerPriority([turnPriority.next, turnPriority.behind]);
  const next = counts[turnPriority.next] ?? 0;
  const count = next + (counts[turnPriority.behind] ?? 0);
  const [waiting, active] = await Promise.all([
    // Jobs of a lower priority come after those that were counted.
    queue.getRanges(["wait", "prioritized"], 0, count, true),
    queue.getRanges(["active"], 0, -1, true),
  ]);
  const activeIds = new Set(active);
  const waitingIds = (from: number, to: number): readonly string[] =>
    waiting.slice(from, to).filter((id) => !activeIds.has(id));
  return { active, next: waitingIds(0, next), behind: waitingIds(next, count) };
};

/**
 * Reads snapshots of a queue. The data of a job is read once for as long as its owner is in the cache.
 *
 * @param takesTurns false for spare work.
 * @param now milliseconds of a clock that never goes back.
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
  const read = async (): Promise<RecentSnapshot> => {
    const ids = await readIds(queue);
    const owners = new Map<string, JobOwner>();
    const missing: string[] = [];
    for (const id of [...ids.active, ...ids.next, ...ids.behind]) {
      const owner = cache.get(id);
      if (owner === undefined) missing.push(id);
      else owners.set(id, owner);
    }
    for (const owner of (await Promise.all(missing.map(readOwner))).flat()) owners.set(owner.id, owner);
    // A job that has ended meanwhile has no owner.
    const ownersOf = (list: readonly string[]): readonly JobOwner[] =>
      list.flatMap((id) => owners.get(id) ?? []);
    const [active, next, behind] = [ownersOf(ids.active), ownersOf(ids.next), ownersOf(ids.behind)];
    return { value: { active, next, behind } };
  };
  const { get, forget } = openRecentResult(read, maxAgeMs, now);
  return { recent: get, forget, ownerOf };
};

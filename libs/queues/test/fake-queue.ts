import type { OrganizationQueue, QueueJob } from "../src/queue-snapshot.ts";
import type { TurnOwner } from "../src/turn-owner.ts";
import { turnPriority } from "../src/turn-priorities.ts";

/** Data of a job of a test. */
export interface FakeData extends TurnOwner {
  readonly isSpare?: boolean;
}

/** What is stored of a job. */
interface StoredJob {
  readonly data: FakeData;
  readonly timestamp: number;
  priority: number;
  processedOn?: number;
}

const without = (ids: string[], id: string): boolean => {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
  return at >= 0;
};

/** A queue in memory that keeps jobs in the order of BullMQ's scripts. Commands run when they are called. */
export class FakeQueue implements OrganizationQueue<FakeData> {
  readonly active: string[] = [];
  /** The wait list, in the order in which jobs are taken. */
  readonly wait: string[] = [];
  /** Ids of the jobs whose data was read. */
  readonly reads: string[] = [];
  /** How often the ids of jobs were read. */
  listings = 0;
  /** Called before the priority of a job changes. */
  onChange: (id: string) => void | Promise<void> = () => undefined;
  readonly #jobs = new Map<string, StoredJob>();
  readonly #scores = new Map<string, number>();
  /** When delayed jobs are due. */
  readonly #dueAt = new Map<string, number>();
  readonly #now: () => number;
  #counter = 0;

  /** @param now milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The jobs with a priority, in the order in which they are taken. */
  get prioritized(): string[] {
    const byScore = ([a, scoreA]: [string, number], [b, scoreB]: [string, number]): number =>
      scoreA - scoreB || (a < b ? -1 : 1);
    return [...this.#scores].toSorted(byScore).map(([id]) => id);
  }

  /** The delayed jobs, in the order in which they are due. */
  get delayed(): string[] {
    return [...this.#dueAt].toSorted(([, a], [, b]) => a - b).map(([id]) => id);
  }

  priorityOf(id: string): number | undefined {
    return this.#jobs.get(id)?.priority;
  }

  /** Adds a job with the id of its project. */
  add(data: FakeData, priority: number = turnPriority.next): void {
    this.#jobs.set(data.project, { data, priority, timestamp: this.#now() });
    this.#enqueue(data.project, false);
  }

  /** A worker takes the next job. */
  take(): QueueJob<FakeData> {
    for (const id of this.delayed.slice(
      0,
      this.#countDue((dueAt) => dueAt <= this.#now()),
    )) {
      this.#dueAt.delete(id);
      this.#enqueue(id, false);
    }
    const [id] = [...this.wait, ...this.prioritized];
    if (id === undefined) throw new Error("no job waits");
    this.#dequeue(id);
    this.active.push(id);
    this.#storedOf(id).processedOn = this.#now();
    return this.#viewOf(id);
  }

  /** An active job waits again, after a pause. A worker that looks for a job moves it to those that wait. */
  putBack(id: string, pauseMs = 0): void {
    without(this.active, id);
    this.#dueAt.set(id, this.#now() + pauseMs);
  }

  /** BullMQ finds that the worker of a job was killed. */
  stall(id: string): void {
    without(this.active, id);
    this.wait.unshift(id);
  }

  end(id: string): void {
    without(this.active, id);
    this.#dequeue(id);
    this.#jobs.delete(id);
  }

  async getRanges(
    types: ("wait" | "prioritized" | "delayed" | "active")[],
    start: number,
    end: number,
  ): Promise<string[]> {
    this.listings += 1;
    return types.flatMap((type) => this[type].slice(start, end === -1 ? undefined : end + 1));
  }

  async getCountsPerPriority(priorities: number[]): Promise<Readonly<Record<string, number>>> {
    const countOf = (priority: number): number =>
      this.prioritized.filter((id) => this.priorityOf(id) === priority).length;
    return Object.fromEntries(
      priorities.map((priority) => [priority, priority === 0 ? this.wait.length : countOf(priority)]),
    );
  }

  async getDelayedCount(before: number): Promise<number> {
    return this.#countDue((dueAt) => dueAt < before);
  }

  async getJob(id: string): Promise<QueueJob<FakeData> | undefined> {
    this.reads.push(id);
    return this.#jobs.has(id) ? this.#viewOf(id) : undefined;
  }

  #countDue(isDue: (dueAt: number) => boolean): number {
    return [...this.#dueAt.values()].filter(isDue).length;
  }

  #storedOf(id: string): StoredJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw new Error(`Missing key for job ${id}. changePriority`);
    return job;
  }

  #viewOf(id: string): QueueJob<FakeData> {
    const stored = this.#storedOf(id);
    return {
      id,
      ...stored,
      changePriority: async ({ priority: to, lifo = false }) => {
        await this.onChange(id);
        this.#storedOf(id).priority = to;
        if (this.#dequeue(id)) this.#enqueue(id, lifo);
      },
    };
  }

  /** @returns true when the job was waiting */
  #dequeue(id: string): boolean {
    return this.#scores.delete(id) || without(this.wait, id);
  }

  #enqueue(id: string, lifo: boolean): void {
    const { priority } = this.#storedOf(id);
    if (priority > 0) this.#scores.set(id, priority * 2 ** 32 + (lifo ? 0 : ++this.#counter));
    else if (lifo) this.wait.unshift(id);
    else this.wait.push(id);
  }
}

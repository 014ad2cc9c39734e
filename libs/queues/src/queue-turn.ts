import { turnPriority } from "./turn-priorities.ts";

/** A worker's turn at a queue whose jobs take turns. */
export interface QueueTurn {
  /** True once the turn has lasted its time and another project waits, or it was ended. */
  readonly isOver: () => boolean;
  /**
   * True when any other job waits, also one of a lower priority: for a job that can do nothing now. Also true once the turn was
   * ended.
   */
  readonly hasWaiters: () => boolean;
  end(): void;
}

/** The part of a BullMQ queue that turns need. */
export interface TurnQueue {
  getWaitingCount(): Promise<number>;
  /** @param before counts only the jobs that are due before this moment, in milliseconds since the epoch. */
  getDelayedCount(before: number): Promise<number>;
  getPrioritizedCount(): Promise<number>;
  getCountsPerPriority(priorities: number[]): Promise<Readonly<Record<string, number>>>;
}

/**
 * How many jobs wait. A delayed job that is due counts: only a worker that looks for a job moves it to those that wait, so that it
 * stays delayed while all workers are busy.
 */
const countWaiting = async (queue: TurnQueue) => {
  const [waiting, due, prioritized, counts] = await Promise.all([
    queue.getWaitingCount(),
    queue.getDelayedCount(Date.now()),
    queue.getPrioritizedCount(),
    queue.getCountsPerPriority([turnPriority.behind]),
  ]);
  const behind = counts[turnPriority.behind] ?? 0;
  return { projects: waiting + due + behind, all: waiting + due + prioritized };
};

/**
 * Begins a turn. A job that is alone continues beyond its time. The queue is looked at now and every `turnMs`.
 *
 * @param turnMs how long a turn lasts, in milliseconds.
 * @param onError is called when the queue cannot be read.
 */
export const openQueueTurn = (
  queue: TurnQueue,
  turnMs: number,
  onError: (error: Error) => void,
): QueueTurn => {
  let isOver = false;
  let hasWaiters = false;
  let isEnded = false;
  let isLooking = false;
  const look = async (isTimeOver: boolean): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const { projects, all } = await countWaiting(queue);
      isOver = isTimeOver && projects > 0;
      hasWaiters = all > 0;
    } catch (error) {
      onError(error as Error); // a client of Redis throws no other values
    } finally {
      isLooking = false;
    }
  };
  void look(false);
  const timer = setInterval(() => void look(true), turnMs);
  return {
    isOver: () => isEnded || isOver,
    hasWaiters: () => isEnded || hasWaiters,
    end: () => {
      isEnded = true;
      clearInterval(timer);
    },
  };
};

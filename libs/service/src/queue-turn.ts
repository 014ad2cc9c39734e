/** A worker's turn at a queue whose jobs take turns. */
export interface QueueTurn {
  /** True once the turn has lasted its time and another job waits. */
  readonly isOver: () => boolean;
  end(): void;
}

/**
 * Begins a turn. A job that is alone continues beyond its time.
 *
 * @param turnMs how long a turn lasts, in milliseconds.
 * @param complain is called when the queue cannot be read.
 */
export const openQueueTurn = (
  queue: { getWaitingCount(): Promise<number> },
  turnMs: number,
  complain: (error: Error) => void,
): QueueTurn => {
  let over = false;
  let asking = false;
  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    queue
      .getWaitingCount()
      .then((waiting) => void (over = waiting > 0), complain)
      .finally(() => (asking = false));
  }, turnMs);
  return { isOver: () => over, end: () => clearInterval(timer) };
};

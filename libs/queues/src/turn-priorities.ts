/** Priorities of jobs that take turns: BullMQ begins with the lowest number, and within it with the oldest job. */
export const turnPriority = {
  /** In the wait list, which workers take from first: jobs of the organizations with the fewest active ones. */
  next: 0,
  /** The other jobs that take turns, in the order in which they came. */
  behind: 1,
  /** Work that a worker begins with only where no project waits. */
  spare: 2,
} as const;

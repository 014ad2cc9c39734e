/** Priorities of jobs that take turns: BullMQ begins with the lowest number, and within one with the oldest job. */
export const turnPriority = {
  /** A job of an organization with the fewest active jobs: it is in the wait list, which workers take from first. */
  next: 0,
  /** A job that waits behind those, in the order in which it came. */
  behind: 1,
  /** Work that a worker begins with only where no project waits. */
  spare: 2,
} as const;

/** Priorities of jobs that take turns: BullMQ begins with the lowest number, and within one with the oldest job. */
export const turnPriority = {
  /** The next job of its organization. */
  next: 0,
  /** A job that waits behind another one of its organization. */
  behind: 1,
  /** Work that a worker begins with only where no project waits. */
  spare: 2,
} as const;

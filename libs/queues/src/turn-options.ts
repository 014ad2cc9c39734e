import type { JobsOptions } from "bullmq";

/** The id of a job for a gid: ids of jobs hold no colon. */
export const jobIdOf = (gid: string): string => gid.slice("gid:".length);

/** Options of a job that takes turns: it is tried again until it succeeds, and removed then. */
export const turnOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: "custom" },
  removeOnComplete: true,
  removeOnFail: true,
  // It may live as long as its project: the last fault is enough.
  stackTraceLimit: 1,
} as const satisfies JobsOptions;

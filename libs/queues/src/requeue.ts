import { DelayedError, type Job } from "bullmq";

/**
 * Ends the run of a job, which goes to the end of its queue and starts again there.
 *
 * @throws always, as BullMQ requires of a job that was moved.
 */
export const requeue = async (job: Job, token: string | undefined, delayMs = 0): Promise<never> => {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
};

/** True for the error by which `requeue` ends a run. */
export const isRequeued = (error: unknown): boolean => error instanceof DelayedError;

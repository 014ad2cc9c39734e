import { retryTimeoutMs } from "./retry-window.ts";
import type { Job, JobState } from "./job.ts";

/** Waits for the end of a job; aborting the wait does not stop the job. @param onState is called with each state */
export const awaitJob = async (
  job: Job,
  signal: AbortSignal,
  onState: (state: JobState) => void = () => undefined,
): Promise<JobState> => {
  let last: JobState | undefined;
  for await (const state of job.progress({ signal, timeoutMs: retryTimeoutMs })) {
    last = state;
    onState(state);
  }
  return last ?? job.state();
};

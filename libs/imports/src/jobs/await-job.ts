import { busyTimeoutMs } from "./busy-suite.ts";
import type { Job, JobState } from "./job.ts";

/** Waits for the end of a job, which goes on without this command. @param onState hears how far it is */
export const awaitJob = async (
  job: Job,
  signal: AbortSignal,
  onState: (state: JobState) => void = () => undefined,
): Promise<JobState> => {
  let last: JobState | undefined;
  for await (const state of job.progress({ signal, timeoutMs: busyTimeoutMs })) {
    last = state;
    onState(state);
  }
  return last ?? job.state();
};

import { EgressError } from "@ikg/egress";

/**
 * Waits for shared work until the signal of one caller is aborted. The work itself continues for the others.
 *
 * @throws EgressError `upstream_timeout` when the signal is aborted first.
 */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const late = (): void => reject(new EgressError("upstream_timeout"));
  if (signal.aborted) late();
  else signal.addEventListener("abort", late, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", late);
  }
};

/**
 * Runs `work` once for all who call while it runs. Each caller stops waiting by its own signal; the work has a time
 * limit of its own and is aborted by no caller.
 */
export const singleFlight = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
): ((signal?: AbortSignal) => Promise<T>) => {
  let running: Promise<T> | undefined;
  return (signal) => {
    running ??= work(AbortSignal.timeout(timeoutMs)).finally(() => {
      running = undefined;
    });
    // Every waiter may be gone when it fails.
    running.catch(() => undefined);
    return untilAborted(running, signal);
  };
};

import { SingleFlight, untilAborted } from "@ikg/concurrency";
import { EgressError } from "@ikg/egress";

const flight = "fetch";

/**
 * Shares one fetch from an issuer among concurrent callers. Each caller stops waiting by its own signal; the fetch has its own
 * time limit, and no caller aborts it.
 *
 * @throws EgressError `upstream_timeout` when the signal of the caller is aborted first.
 */
export const fetchOnce = <T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
): ((signal?: AbortSignal) => Promise<T>) => {
  const fetches = new SingleFlight<typeof flight, T>();
  return (signal) =>
    untilAborted(
      fetches.run(flight, () => fetch(AbortSignal.timeout(timeoutMs))),
      signal,
      () => new EgressError("upstream_timeout"),
    );
};

import { SingleFlight, untilAborted } from "@ikg/concurrency";
import { EgressError } from "@ikg/egress";

const flight = "fetch";

/**
 * Fetches something of an issuer once for all who call meanwhile. Each caller stops waiting by its own signal; the fetch has a
 * time limit of its own, and no caller aborts it.
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

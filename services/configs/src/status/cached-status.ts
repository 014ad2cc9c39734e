import { SingleFlight } from "@ikg/concurrency";
import { Problem, type SuiteStatus } from "@ikg/contracts";

const lifetimeMs = 2_000;

/**
 * The state of the suite, which is the same for every caller, so it is read at most once in two seconds.
 *
 * @throws Problem `unavailable` while it cannot be read.
 */
export const cachedStatus = (
  read: () => Promise<SuiteStatus>,
  now: () => number = () => performance.now(),
): (() => Promise<SuiteStatus>) => {
  const reads = new SingleFlight<"status", SuiteStatus>();
  let cached: { readonly at: number; readonly status: SuiteStatus } | undefined;
  return async () => {
    if (cached !== undefined && now() - cached.at < lifetimeMs) return cached.status;
    return reads.run("status", async () => {
      try {
        const status = await read();
        cached = { at: now(), status };
        return status;
      } catch (cause) {
        throw new Problem("unavailable", { headers: { "Retry-After": "5" }, cause });
      }
    });
  };
};

import { SingleFlight } from "@ikg/concurrency";
import { Problem, type SuiteStatus } from "@ikg/contracts";

const lifetimeMs = 2_000;

/**
 * The state of the suite, which is the same for every caller: read once in two seconds at most, however many ask.
 *
 * @throws Problem `unavailable` while it cannot be read.
 */
export const keptStatus = (
  read: () => Promise<SuiteStatus>,
  now: () => number = () => performance.now(),
): (() => Promise<SuiteStatus>) => {
  const reads = new SingleFlight<"status", SuiteStatus>();
  let kept: { readonly at: number; readonly status: SuiteStatus } | undefined;
  return async () => {
    if (kept !== undefined && now() - kept.at < lifetimeMs) return kept.status;
    return reads.run("status", async () => {
      try {
        const status = await read();
        kept = { at: now(), status };
        return status;
      } catch (cause) {
        throw new Problem("unavailable", { headers: { "Retry-After": "5" }, cause });
      }
    });
  };
};

import type { Breaker } from "./breaker.ts";
import type { Egress } from "./egress.ts";
import { EgressError, isUnhealthyStatus } from "./egress-error.ts";

/**
 * The same calls, each through a circuit. An answer that speaks of an ill service is a failure like none at all, so
 * that the circuit sees it.
 *
 * @param run of the breaker that stands for the other side at the moment of the call.
 */
export const circuited = (egress: Egress, run: Breaker["run"]): Egress => ({
  ...egress,
  request: (url, options) =>
    run(async () => {
      const response = await egress.request(url, options);
      if (isUnhealthyStatus(response.status))
        throw new EgressError("upstream_status", undefined, response.status);
      return response;
    }),
  getJson: (url, options) => run(() => egress.getJson(url, options)),
});

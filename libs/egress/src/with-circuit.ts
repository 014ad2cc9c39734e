import type { Breaker } from "./breaker.ts";
import type { Egress } from "./egress.ts";
import { EgressError, isUnhealthyStatus } from "./egress-error.ts";

/**
 * Makes every call through a circuit breaker. A response with an unhealthy status is a failure, so that the breaker counts
 * it.
 *
 * @param run of the breaker of the called service.
 */
export const withCircuit = (egress: Egress, run: Breaker["run"]): Egress => ({
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

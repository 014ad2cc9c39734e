import type { ServiceAccountCaller } from "@ikg/contracts";
import type { Asker } from "../records/store.ts";

/** Who asks, from what the service established about a request. */
export const askerOf = (input: {
  readonly caller: ServiceAccountCaller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}): Asker => ({
  organizationId: input.caller.org,
  accountId: input.caller.service_account,
  requestId: input.requestId,
  signal: input.signal,
});

import type { ServiceAccountCaller } from "@ikg/contracts";
import type { CallerContext } from "../records/store.ts";

/** The caller of a request, from its context. */
export const callerContextOf = (input: {
  readonly caller: ServiceAccountCaller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}): CallerContext => ({
  organizationId: input.caller.org,
  accountId: input.caller.service_account,
  requestId: input.requestId,
  signal: input.signal,
});

import { type AdministratorCaller, callerName, type Reach } from "@ikg/contracts";
import type { CallerContext } from "../records/store.ts";

/** The caller of a request, from its context. */
export const callerContextOf = (input: {
  readonly caller: AdministratorCaller;
  readonly reach: Reach;
  readonly requestId: string;
  readonly signal: AbortSignal;
}): CallerContext => ({
  organizationId: input.caller.org,
  accountId:
    input.caller.kind === "service_account" ? input.caller.service_account : callerName(input.caller),
  administrator: input.caller,
  reach: input.reach,
  requestId: input.requestId,
  signal: input.signal,
});

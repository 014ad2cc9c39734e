import type { AuditedRequest } from "@ikg/audit";
import { type Caller, callerName } from "@ikg/contracts";
import { clientNetwork } from "../http/client-network.ts";
import { rejectionNote } from "./rejection-note.ts";
import type { Refusal } from "./repeated-refusals.ts";

/** The refusal of a known caller: equal for one credential or person, one reason and one address, whatever the operation. */
export const callerRefusal = (
  caller: Caller,
  reason: string,
  status: number,
  request: AuditedRequest,
): Refusal => {
  const { chain } = rejectionNote(caller, reason);
  return {
    key: [chain, callerName(caller), reason, clientNetwork(request.ip)].join(" "),
    request,
    caller,
    status,
    note: (repeats) => rejectionNote(caller, reason, repeats),
  };
};

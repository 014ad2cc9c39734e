import type { Repeats } from "@ikg/audit";
import { type Caller, callerName, omitUndefined } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";

const ownerOf = (caller: Caller): string => {
  if (caller.kind === "agent") return caller.agent;
  return caller.kind === "user" ? caller.sub : caller.service_account;
};

/**
 * The record of a refused credential, in the chain of its owner.
 *
 * @param repeats of a record that stands for several.
 */
export const rejectionNote = (
  caller: Caller,
  reason: string,
  repeats?: Repeats,
): AuditNote<"audit.credentials.rejected"> => ({
  type: "audit.credentials.rejected",
  chain: caller.kind === "agent" ? caller.project : caller.org,
  data: omitUndefined({
    kid: callerName(caller),
    owner: ownerOf(caller),
    reason,
    ...repeats,
  }),
  outcome: "denied",
});

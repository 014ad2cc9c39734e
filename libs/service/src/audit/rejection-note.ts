import type { Repeats } from "@ikg/audit";
import { type Caller, setFields } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";

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
  data: setFields({
    kid: caller.credential_kid,
    owner: caller.kind === "agent" ? caller.agent : caller.service_account,
    reason,
    ...repeats,
  }),
  outcome: "denied",
});

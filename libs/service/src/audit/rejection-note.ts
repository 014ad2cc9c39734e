import { type Caller, setFields } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";

/** What the record of a refused credential says, in the chain of whom it belongs to. */
export const rejectionNote = (caller: Caller, reason: string): AuditNote<"audit.credentials.rejected"> => ({
  type: "audit.credentials.rejected",
  chain: caller.kind === "agent" ? caller.project : caller.org,
  data: setFields({
    kid: caller.credential_kid,
    owner: caller.kind === "agent" ? caller.agent : caller.service_account,
    reason,
  }),
  outcome: "denied",
});

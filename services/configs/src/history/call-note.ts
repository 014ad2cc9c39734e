import type { DataOf } from "@ikg/audit";
import type { Gid } from "@ikg/contracts";
import type { AuditNote } from "@ikg/service";

/** What the audit record of a call about changes says of the call itself. */
export const callNote = (
  projectId: Gid,
  data: DataOf<"audit.config.changes">,
): AuditNote<"audit.config.changes"> => ({ type: "audit.config.changes", chain: projectId, data });

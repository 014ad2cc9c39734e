import type { AuditRecord, DataOf } from "@ikg/audit";
import { newUuid } from "@ikg/contracts";

type SigningType = "audit.signing.failed" | "audit.signing.recovered" | "audit.signing.rotated";

/** A record of what became of signing. */
export const signingRecord = (
  type: SigningType,
  project: string,
  data: DataOf<SigningType>,
  now: Date,
): AuditRecord => ({
  id: newUuid(now.getTime()),
  time: now.toISOString(),
  type,
  project_id: project,
  actor: { type: "system", id: "audit" },
  outcome: type === "audit.signing.failed" ? "failed" : "success",
  data,
});

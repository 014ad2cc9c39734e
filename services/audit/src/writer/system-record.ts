import type { AuditRecord, DataOf } from "@ikg/audit";
import { newUuid } from "@ikg/contracts";

type SystemType =
  | "audit.signing.failed"
  | "audit.signing.recovered"
  | "audit.signing.rotated"
  | "audit.streams.replaced";

const failures: ReadonlySet<SystemType> = new Set(["audit.signing.failed", "audit.streams.replaced"]);

/** A record of what the audit service met itself. */
export const systemRecord = <T extends SystemType>(
  type: T,
  project: string,
  data: DataOf<T>,
  now: Date,
): AuditRecord =>
  ({
    id: newUuid(now.getTime()),
    time: now.toISOString(),
    type,
    project_id: project,
    actor: { type: "system", id: "audit" },
    outcome: failures.has(type) ? "failed" : "success",
    data,
  }) as AuditRecord; // the data is that of the type

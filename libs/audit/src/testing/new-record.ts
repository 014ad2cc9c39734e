import { type Gid, newUuid } from "@ikg/contracts";
import { type AuditRecord, recordSchemas } from "../records/record.ts";

/** The audit record of a project with this name, which was created just now. @param project the chain of the record */
export const newRecord = (project: Gid, name: string): AuditRecord =>
  recordSchemas["audit.config.create"].parse({
    id: newUuid(),
    time: new Date().toISOString(),
    type: "audit.config.create",
    project_id: project,
    actor: { type: "system", id: "test" },
    outcome: "success",
    data: { kind: "project", name },
  });

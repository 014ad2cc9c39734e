import type { ChangeAnnouncement } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { StoredRecord } from "./record.ts";

/** The announcement of one record's change. */
export const announcementOf = (
  action: ChangeAnnouncement["action"],
  record: StoredRecord,
): ChangeAnnouncement => {
  const kid = record.columns[lookUpProperties.kid];
  return {
    kind: record.kind,
    id: record.id,
    organization_id: record.organizationId,
    ...(record.projectId === undefined ? {} : { project_id: record.projectId }),
    ...(typeof kid === "string" ? { kid } : {}),
    action,
  };
};

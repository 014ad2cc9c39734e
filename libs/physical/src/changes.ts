import { projectPrefix } from "./key-ranges.ts";

/**
 * Where changes of policies and queries are kept, by the configs service alone: one node per change record, and one per
 * record that it changed. They outlive the records.
 */
export const changeLabel = "_Change";

/** What became of one record: versions, and its content before and after, compressed. */
export const changeEntryLabel = "_ChangeEntry";

/** An entry belongs to its change record, and goes with it. */
export const entryOf = "_ENTRY_OF";

/** The unique key of a change record. Those of a project sort as they were made. */
export const changeKey = (projectId: string, order: string): string => `${projectPrefix(projectId)}${order}`;

/** Announcements of a committed change that are not published yet. */
export const outboxLabel = "_Outbox";

/** Audit records of a committed change that are in no chain yet, with the properties `chain` and `key`. */
export const auditOutboxLabel = "_AuditOutbox";

/** Keys of what waits for a chain sort as the changes were committed. */
export const auditOutboxKey = (chain: string, changeId: string, index: number): string =>
  `${chain}/${changeId}/${String(index).padStart(6, "0")}`;

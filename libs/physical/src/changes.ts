/**
 * Where changes of policies and queries are kept, by the configs service alone: one node per change record, and one per
 * record that it changed. They outlive the records.
 */
export const changeLabel = "_Change";

/** What became of one record: versions, and its content before and after, compressed. */
export const changeEntryLabel = "_ChangeEntry";

/** An entry belongs to its change record, and goes with it. */
export const entryOf = "_ENTRY_OF";

/** Keys of the change records of a project sort as they were made. Gids hold no slash. */
export const changePrefix = (projectId: string): string => `${projectId}/`;

/** The unique key of a change record. */
export const changeKey = (projectId: string, order: string): string => `${changePrefix(projectId)}${order}`;

/** Announcements and audit records of a committed change that are not delivered yet. */
export const outboxLabel = "_Outbox";

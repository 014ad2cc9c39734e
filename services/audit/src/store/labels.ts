/** Labels of what this service keeps in the shared database; no other service writes them. */
export const chainLabel = "_AuditChain";
export const batchLabel = "_AuditBatch";
export const checkpointLabel = "_AuditCheckpoint";
export const platformKeyLabel = "_AuditPlatformKey";

const digits = 15;

/** Key of what stands at a place of a chain; keys of a chain are in the order of their numbers. */
export const placeKey = (project: string, sequence: number): string =>
  `${project}@${String(sequence).padStart(digits, "0")}`;

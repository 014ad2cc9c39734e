/** Public keys that have signed audit records; the audit service writes them. */
export const auditKeyLabel = "_AuditKey";

/** What one is found by: the project, and the name that the key has there for ever. */
export const auditKeyKey = (project: string, kid: string): string => `${project}@${kid}`;

/** Batches that wait for a signature: sealed texts, each at the place of its key. */
export const auditSpillLabel = "_AuditSpill";

/** What a sealed batch belongs to. */
export const auditSpillPlace = (key: string) => ({ record: key, field: "records" });

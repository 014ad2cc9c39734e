/** Public keys that have signed audit records; the audit service writes them. */
export const auditKeyLabel = "_AuditKey";

/** What one is found by: the project, and the name that the key has there for ever. */
export const auditKeyKey = (project: string, kid: string): string => `${project}@${kid}`;

/** The end of a chain of audit records, one node for each chain; only the audit service writes it, and what follows. */
export const auditChainLabel = "_AuditChain";

/** Batches of a chain with their manifests, and its checkpoints, each at the place of its key. */
export const auditBatchLabel = "_AuditBatch";
export const auditCheckpointLabel = "_AuditCheckpoint";

const digits = 15;

/** Key of what stands at a place of a chain; keys of a chain sort as their numbers do. */
export const auditPlaceKey = (chain: string, place: number | bigint): string =>
  `${chain}@${String(place).padStart(digits, "0")}`;

/** Public keys that have signed audit records. */
export const auditKeyLabel = "_AuditKey";

/** What one is found by: the project, and the name that the key has there for ever. */
export const auditKeyKey = (project: string, kid: string): string => `${project}@${kid}`;

/** Batches that wait for a signature: sealed texts, each at the place of its key. */
export const auditSpillLabel = "_AuditSpill";

/** What a sealed batch belongs to. */
export const auditSpillPlace = (key: string) => ({ record: key, field: "records" });

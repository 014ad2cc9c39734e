export { keyRing, type KeyRing } from "@ikg/secrets";
export { activeSnapshot, activeSnapshotFor } from "./active-snapshot.ts";
export { loadApplicationIds } from "./application-ids.ts";
export { type Catalog, openCatalog } from "./catalog.ts";
export { type ChangeContent, compressContent, decompressContent } from "./change-content.ts";
export { loadNamedRecords, loadPoliciesById, type NamedRecord, type RecordName } from "./named-records.ts";
export { loadPolicyVersions, type PolicyVersion } from "./policy-versions.ts";
export {
  type CatalogProject,
  type McpServer,
  type ProjectSnapshot,
  questionKey,
  type StoredIntrospect,
  type StoredKbacPolicy,
  type StoredQuery,
  type StoredResolver,
} from "./snapshot.ts";

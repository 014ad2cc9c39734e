export { keyRing, type KeyRing } from "@ikg/secrets";
export { type Catalog, openCatalog } from "./catalog.ts";
export { loadPolicyVersions, type PolicyVersion } from "./policy-versions.ts";
export type {
  CatalogProject,
  McpServer,
  ProjectSnapshot,
  StoredIntrospect,
  StoredKbacPolicy,
  StoredQuery,
  StoredResolver,
} from "./snapshot.ts";

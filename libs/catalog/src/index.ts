export { keyRing, type KeyRing } from "@ikg/secrets";
export { type Catalog, openCatalog } from "./catalog.ts";
export type {
  CatalogProject,
  ProjectSnapshot,
  StoredIntrospect,
  StoredKbacPolicy,
  StoredQuery,
} from "./snapshot.ts";

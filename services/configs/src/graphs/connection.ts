import type { DbConnection, Gid } from "@ikg/contracts";
import { type KeyRing, open } from "@ikg/secrets";

/**
 * What is sealed in the `db_connection` of a project.
 *
 * @throws Error when no key opens it.
 */
export const openConnection = (keys: KeyRing, projectId: Gid, sealed: string): DbConnection =>
  // Sealed by this service, from the contract's schema.
  JSON.parse(open(keys, { record: projectId, field: "db_connection" }, sealed)) as DbConnection;

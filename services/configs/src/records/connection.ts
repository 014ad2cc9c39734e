import type { DbConnection, Gid } from "@ikg/contracts";
import type { DatabasePart, ProjectGraph } from "@ikg/graph";
import { type KeyRing, open, type SealedPlace } from "@ikg/secrets";

/** The place that the connection of a project is sealed for, in its record and in the note of its removal. */
export const connectionPlace = (projectId: string): SealedPlace => ({
  record: projectId,
  field: "db_connection",
});

/**
 * What is sealed in the `db_connection` of a project.
 *
 * @throws Error when no key opens it.
 */
export const openConnection = (keys: KeyRing, projectId: Gid, sealed: string): DbConnection =>
  // Sealed by this service, from the contract's schema.
  JSON.parse(open(keys, connectionPlace(projectId), sealed)) as DbConnection;

/** The graph of a project with a database of its own, and its parts: the default database first, then constituents. */
export const ownGraph = (
  id: Gid,
  connection: DbConnection,
): { readonly graph: ProjectGraph; readonly parts: readonly (DatabasePart | undefined)[] } => {
  const { composite_db_name: database = "", constituents = {} } = connection;
  const connections = new Map(Object.entries(constituents));
  return {
    graph: { id, pk: "", connection, composite: { database, connections } },
    parts: [undefined, ...[...connections.keys()].map((constituent) => ({ constituent }))],
  };
};

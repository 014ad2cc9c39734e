import type { Gid } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { StoredRecord } from "./record.ts";

/** A graph that has to go, as it is noted: properties of a node. What is not known is absent. */
export interface GraphRemoval {
  readonly project_id: Gid;
  /** Absent in notes of releases before it was kept. */
  readonly organization_id?: Gid;
  /** Key in the shared database. */
  readonly pk?: string;
  /** The sealed `db_connection` of a project with a database of its own. */
  readonly connection?: string;
}

/** The graph of a deleted project, whose data is still there. */
export interface RemovedGraph {
  readonly removal: GraphRemoval;
  /** False without a note: a removal that fails is not tried again. */
  readonly isNoted: boolean;
}

/** The graph of a project that is being removed. */
export const removalOf = ({ id, organizationId, columns, data }: StoredRecord): GraphRemoval => {
  const pk = columns[lookUpProperties.projectKey];
  const connection = data["db_connection"];
  return {
    project_id: id,
    organization_id: organizationId,
    ...(typeof pk === "string" ? { pk } : {}),
    ...(typeof connection === "string" ? { connection } : {}),
  };
};

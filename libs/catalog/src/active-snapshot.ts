import {
  type AdministratorCaller,
  type Gid,
  noActiveGraph,
  Problem,
  type Reach,
  reaches,
  roleMissing,
} from "@ikg/contracts";
import type { Catalog } from "./catalog.ts";
import type { ProjectSnapshot } from "./snapshot.ts";

/**
 * The project of an agent's key, as it is now.
 *
 * @throws Problem "not_found" (404) when it is unknown, or has no active graph.
 */
export const activeSnapshot = async (
  catalog: Pick<Catalog, "snapshot">,
  id: string,
): Promise<ProjectSnapshot> => {
  const snapshot = await catalog.snapshot(id);
  if (snapshot?.project.ikgStatus !== "ACTIVE") throw noActiveGraph("project");
  return snapshot;
};

/**
 * The project that an administrator names, as it is now.
 *
 * @throws Problem "not_found" (404) when the organization has no such project, or the project no active graph; "role_missing",
 *   "role_read_only" (403) where the caller's roles do not reach.
 */
export const activeSnapshotFor = async (
  catalog: Pick<Catalog, "snapshot">,
  id: Gid,
  caller: AdministratorCaller,
  reach: Reach,
): Promise<ProjectSnapshot> => {
  const snapshot = await catalog.snapshot(id);
  if (snapshot?.project.organizationId !== caller.org)
    throw new Problem("not_found", { errors: ["project_id: not found"] });
  if (!reaches(reach, id)) throw roleMissing(caller);
  if (snapshot.project.ikgStatus !== "ACTIVE") throw noActiveGraph("project_id");
  return snapshot;
};

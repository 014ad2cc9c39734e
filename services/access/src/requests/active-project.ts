import type { Catalog, ProjectSnapshot } from "@ikg/catalog";
import { type Gid, Problem } from "@ikg/contracts";

/**
 * The project that a service account names, as it is now.
 *
 * @throws Problem "not_found" (404) when its organization has no such project, or the project no active graph.
 */
export const activeProject = async (
  catalog: Catalog,
  id: Gid,
  organizationId: Gid,
): Promise<ProjectSnapshot> => {
  const snapshot = await catalog.snapshot(id);
  if (snapshot?.project.organizationId !== organizationId)
    throw new Problem("not_found", { errors: ["project_id: not found"] });
  if (snapshot.project.ikgStatus !== "ACTIVE")
    throw new Problem("not_found", { errors: ["project_id: no active graph"] });
  return snapshot;
};

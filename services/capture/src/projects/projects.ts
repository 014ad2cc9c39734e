import { type Gid, noActiveGraph, type OrganizationNameLimits, type ProjectLimits } from "@ikg/contracts";
import type { CompositeGraph, ProjectGraph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";

/** A project as a writer of graph data sees it. */
export interface Project extends ProjectGraph {
  readonly id: Gid;
  readonly organizationId: Gid;
  readonly pk: ProjectKey;
  readonly ikgStatus: string;
  readonly limits: ProjectLimits;
  readonly organizationNames: OrganizationNameLimits;
  readonly composite?:
    | (CompositeGraph & {
        /** Locations, each with its constituent. */
        readonly constituents: ReadonlyMap<string, string>;
      })
    | undefined;
}

/** Where projects are known; the catalog in production. */
export interface Projects {
  project(id: string): Promise<Project | undefined>;
}

/**
 * The project whose graph is written.
 *
 * @throws Problem `not_found` (404) when it is unknown or its graph is not active.
 */
export const activeProject = async (projects: Projects, id: string): Promise<Project> => {
  const project = await projects.project(id);
  if (project?.ikgStatus !== "ACTIVE") throw noActiveGraph("project");
  return project;
};

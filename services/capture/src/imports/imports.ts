import { type Gid, Problem } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Names } from "@ikg/graph-names";
import { graphIdOf } from "../projects/graph-id.ts";
import type { Project, Projects } from "../projects/projects.ts";
import { type ImportRecord, importRecords, type ImportRecords, type Outcome } from "./records.ts";
import { openStaging, type Staging } from "./staging.ts";

/** What every operation on imports works with. */
export interface ImportParts {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly records: ImportRecords;
  /**
   * The same records for requests: their statements are scheduled among those of their project.
   *
   * @throws Problem `not_found` (404) when the project is unknown.
   */
  readonly recordsFor: (projectId: Gid) => Promise<ImportRecords>;
  readonly names: Pick<Names, "reserveEach">;
  readonly now: () => Date;
  /** Called with an import that has ended, and with the outcome of its rows; may be called again after a failure. */
  readonly onEnded: (record: ImportRecord & { readonly outcome: Outcome }) => Promise<void>;
}

/** The parts of imports whose records are in the shared database of a graph. */
export const importParts = (parts: {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly names: ImportParts["names"];
  readonly now: () => Date;
  readonly onEnded: ImportParts["onEnded"];
}): ImportParts => ({
  ...parts,
  records: importRecords(parts.graph.shared),
  recordsFor: async (projectId) => {
    const project = await parts.projects.project(projectId);
    if (project === undefined) throw new Problem("not_found");
    const { id, organizationId, limits } = project;
    // In the shared database, wherever the graph of the project is.
    const inShared = { id, organizationId, limits, pk: organizationId };
    return importRecords(parts.graph.of(inShared, undefined, "administration"));
  },
});

/** True when the graph of a project is no longer where the rows of an import were staged. */
export const hasMoved = ({ pk, graph }: Pick<ImportRecord, "pk" | "graph">, project: Project): boolean => {
  const current = graphIdOf(project);
  return pk !== project.pk || (graph !== undefined && current !== undefined && graph !== current);
};

/** What is staged of an import, in the database that its project has now. */
export const stagingOf = ({ graph }: Pick<ImportParts, "graph">, project: Project, importId: Gid): Staging =>
  openStaging(graph.of(project, undefined, "background"), project.id, importId);

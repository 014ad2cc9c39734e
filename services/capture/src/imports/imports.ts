import type { Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Project, Projects } from "../projects.ts";
import { importRecords, type ImportRecords } from "./records.ts";
import { openStaging, type Staging } from "./staging.ts";

/** What every verb about imports works with. */
export interface ImportParts {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly records: ImportRecords;
  readonly now: () => Date;
}

/** Where the imports of a graph's projects are. */
export const importParts = (parts: {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly now: () => Date;
}): ImportParts => ({ ...parts, records: importRecords(parts.graph.shared) });

/** What is staged of an import, in the database that its project has now. */
export const stagingOf = ({ graph }: Pick<ImportParts, "graph">, project: Project, importId: Gid): Staging =>
  openStaging(graph.of(project), project.id, importId);

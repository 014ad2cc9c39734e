import type { Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Names } from "@ikg/names";
import type { Project, Projects } from "../projects/projects.ts";
import { type ImportRecord, importRecords, type ImportRecords, type Outcome } from "./records.ts";
import { openStaging, type Staging } from "./staging.ts";

/** What every operation on imports works with. */
export interface ImportParts {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly records: ImportRecords;
  readonly names: Pick<Names, "reserveEach">;
  readonly now: () => Date;
  /** Called with an import that has ended, and with the outcome of its rows; may be called again after a failure. */
  readonly onEnded: (record: ImportRecord & { readonly outcome: Outcome }) => Promise<void>;
}

/** Where the imports of a graph's projects are. */
export const importParts = (parts: {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly names: ImportParts["names"];
  readonly now: () => Date;
  readonly onEnded: ImportParts["onEnded"];
}): ImportParts => ({ ...parts, records: importRecords(parts.graph.shared) });

/** What is staged of an import, in the database that its project has now. */
export const stagingOf = ({ graph }: Pick<ImportParts, "graph">, project: Project, importId: Gid): Staging =>
  openStaging(graph.of(project, undefined, "background"), project.id, importId);

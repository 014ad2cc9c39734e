import { type CompleteLine, type Gid, Problem } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { LinesText } from "@ikg/service";
import { constituentsOf } from "../projects/constituent.ts";
import { openQuarterSlots } from "../projects/quarter-slots.ts";
import { activeProject, type Project, type Projects } from "../projects/projects.ts";
import type { Request } from "../batches/transaction.ts";
import { exportLines } from "./export-lines.ts";
import type { ExportMetrics, ExportPages } from "./metrics.ts";
import { openPageReader } from "./page-reader.ts";

export interface ExportParts {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly metrics: ExportMetrics;
  /** Exports at once in this process; a project has a quarter of them at most. */
  readonly slots: number;
}

/** Imports have no locations: a graph in several databases could not be imported again. */
const refuseLocations = (project: Project): void => {
  if (constituentsOf(project).size > 1)
    throw new Problem("unprocessable", {
      errors: ["project: a graph with locations cannot be exported; an import has no locations"],
    });
};

/** Puts back the first page, which has been read. A call of `return` ends the export also before a page is taken. */
const withFirstPage = (
  first: Awaited<ReturnType<ExportPages["next"]>>,
  rest: ExportPages,
): AsyncIterable<LinesText | CompleteLine> => {
  let next: typeof first | undefined = first;
  const iterator: AsyncIterator<LinesText | CompleteLine> = {
    next: async () => {
      const page = next;
      next = undefined;
      return page ?? rest.next();
    },
    return: () => rest.return(),
  };
  return { [Symbol.asyncIterator]: () => iterator };
};

/**
 * Begins an export.
 *
 * @returns its pages; the first one has been read, so that a failure until then has its own status.
 * @throws Problem `not_found` (404) without an active graph, `unprocessable` (422) for a graph that cannot be exported,
 *   `too_many_requests` (429) and `unavailable` (503) when too many run, and what the graph throws.
 */
export const openExport = ({
  graph,
  projects,
  metrics,
  slots,
}: ExportParts): ((
  projectId: Gid,
  types: readonly string[] | undefined,
  request: Pick<Request, "requestId" | "signal">,
) => Promise<AsyncIterable<LinesText | CompleteLine>>) => {
  const exportSlots = openQuarterSlots(slots, { place: "exports", things: "exports", setting: "EXPORTS" });
  return async (projectId, types, request) => {
    const project = await activeProject(projects, projectId);
    refuseLocations(project);
    // Opened first: it throws where the connection cannot be used, and no slot is lost then.
    const reader = openPageReader({ graph, projects }, project, request);
    const release = exportSlots.take(project);
    const pages = metrics.observe(
      (async function* releaseAtEnd() {
        try {
          yield* exportLines(reader, project.pk, types);
        } finally {
          release();
        }
      })(),
    );
    return withFirstPage(await pages.next(), pages);
  };
};

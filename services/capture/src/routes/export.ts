import {
  type Caller,
  type Gid,
  GraphExportQuery,
  Problem,
  type Reach,
  reaches,
  roleMissing,
} from "@ikg/contracts";
import { JsonLines, reply, type Route, route } from "@ikg/service";
import { type ExportParts, openExport } from "../export/export-graph.ts";
import { activeProject, type Projects } from "../projects.ts";

/**
 * The project of an export: an agent's own, or the one that an administrator names.
 *
 * @throws Problem "invalid_request" (400) for a project that is missing or another one than the agent's; "not_found" (404) for
 *   one of another organization; "role_missing" (403) where no role of the administrator reaches.
 */
const exportedProject = async (
  projects: Projects,
  caller: Caller,
  reach: Reach,
  named: Gid | undefined,
): Promise<Gid> => {
  if (caller.kind === "agent") {
    if (named === undefined || named === caller.project) return caller.project;
    throw new Problem("invalid_request", {
      errors: ["project_id: the project of the key expected, or none"],
    });
  }
  if (named === undefined) throw new Problem("invalid_request", { errors: ["project_id: required"] });
  const { organizationId } = await activeProject(projects, named);
  if (organizationId !== caller.org) throw new Problem("not_found", { errors: ["project: no active graph"] });
  if (!reaches(reach, named)) throw roleMissing(caller);
  return named;
};

/** GET /capture/v1/export: the graph of a project, as lines that an import takes. */
export const exportRoute = (parts: ExportParts): Route => {
  const begin = openExport(parts);
  return route({
    operation: "export_graph",
    method: "get",
    path: "/capture/v1/export",
    caller: "either",
    permission: "ReadGraph",
    queryParameters: GraphExportQuery,
    handle: async ({ caller, reach, query: { types, project_id }, requestId, signal, note }) => {
      const project = await exportedProject(parts.projects, caller, reach, project_id);
      const pages = await begin(project, types, { requestId, signal });
      // Kept before the first line is sent: an export discloses everything.
      note(() => ({
        type: "audit.capture.export",
        chain: project,
        data: types === undefined ? {} : { types: [...types] },
      }));
      return reply(200, new JsonLines(pages, { compressible: true }));
    },
  });
};

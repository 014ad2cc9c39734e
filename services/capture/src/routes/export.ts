import { GraphExportQuery } from "@ikg/contracts";
import { JsonLines, reply, type Route, route } from "@ikg/service";
import { type ExportParts, openExport } from "../export/export-graph.ts";
import { projectOfCaller } from "./project-of-caller.ts";

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
      const project = await projectOfCaller(parts.projects, caller, reach, project_id);
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

import { GraphExportQuery } from "@ikg/contracts";
import { JsonLines, reply, type Route, route } from "@ikg/service";
import { type ExportParts, openExport } from "../export/export-graph.ts";

/** GET /capture/v1/export: the graph of the caller's project, as lines that an import takes. */
export const exportRoute = (parts: ExportParts): Route => {
  const begin = openExport(parts);
  return route({
    operation: "export_graph",
    method: "get",
    path: "/capture/v1/export",
    caller: "agent",
    permission: "ReadGraph",
    queryParameters: GraphExportQuery,
    handle: async ({ caller, query: { types }, requestId, signal, note }) => {
      const pages = await begin(caller.project, types, { requestId, signal });
      // Kept before the first line is sent: an export discloses everything.
      note(() => ({
        type: "audit.capture.export",
        chain: caller.project,
        data: types === undefined ? {} : { types: [...types] },
      }));
      return reply(200, new JsonLines(pages, { compressible: true }));
    },
  });
};

import { gidOf } from "@ikg/contracts";
import { JsonText, type Route, route } from "@ikg/service";
import { z } from "zod";
import { exportProject } from "../changes/export.ts";
import { callNote } from "../history/call-note.ts";
import type { Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";

/** GET /configs/v1/export: what a project consists of, to be applied again. */
export const exportRoute = (store: Store): Route =>
  route({
    operation: "export_project",
    method: "get",
    path: "/configs/v1/export",
    caller: "administrator",
    queryParameters: z.object({ project_id: gidOf("project") }),
    handle: async (input) => {
      const { project_id } = input.query;
      const { document, memory } = await exportProject(store, project_id, callerContextOf(input));
      const count = document.changes.length + document.records.length;
      input.note(() => callNote(project_id, { call: "export", count }));
      return memory === undefined
        ? document
        : new JsonText([JSON.stringify(document)], () => memory.release());
    },
  });

import { type Import, RejectedLinesQuery } from "@ikg/contracts";
import { reply, type Route, route, uploadRoute } from "@ikg/service";
import { cancelImport } from "../imports/cancel.ts";
import { importNotes } from "../imports/import-notes.ts";
import type { ImportParts } from "../imports/imports.ts";
import { listImports, listRejected, readImport } from "../imports/read-imports.ts";
import { receiveImport } from "../imports/receive.ts";
import type { ImportRecord } from "../imports/records.ts";
import { importPath, importView } from "../imports/state.ts";
import { uploadedText, uploadFault } from "../imports/upload.ts";
import type { UploadSettings } from "../imports/upload-bounds.ts";

const access = { caller: "agent", permission: "Capture" } as const;

/** POST: takes lines and answers 202 when all of them are staged. */
const create = (
  parts: ImportParts,
  uploads: UploadSettings,
  enqueue: (record: ImportRecord) => void,
): Route => {
  const receive = receiveImport(parts, uploads);
  return uploadRoute({
    ...access,
    operation: "create_import",
    method: "post",
    path: "/capture/v1/imports",
    handle: async ({ body, caller, requestId, signal, note }) => {
      const upload = uploadedText(body);
      const record = await receive(caller.project, upload, { requestId, signal }).catch((error: unknown) => {
        throw uploadFault(error);
      });
      for (const each of importNotes(record, record)) note(() => each);
      enqueue(record);
      const { rejectedAtUpload: rejected } = record;
      const notKept = Math.max(0, rejected - record.rejectionsKept);
      const outcome = { nodesWritten: 0, relationshipsWritten: 0, rejected, notKept };
      const state: Import = importView(record, outcome, record.createTime);
      return reply(202, state, { Location: importPath(record.id) });
    },
  });
};

/** Endpoints of imports. */
export const importRoutes = (
  parts: ImportParts,
  uploads: UploadSettings,
  enqueue: (record: ImportRecord) => void,
): readonly Route[] => {
  const list = listImports(parts);
  const read = readImport(parts);
  const rejected = listRejected(parts);
  const cancel = cancelImport(parts);
  return [
    create(parts, uploads, enqueue),
    route({
      ...access,
      operation: "list_imports",
      method: "get",
      path: "/capture/v1/imports",
      handle: ({ caller }) => list(caller.project),
    }),
    route({
      ...access,
      operation: "read_import",
      method: "get",
      path: "/capture/v1/imports/:id",
      handle: ({ caller, params }) => read(caller.project, params["id"] ?? ""),
    }),
    route({
      ...access,
      operation: "list_rejected_lines",
      method: "get",
      path: "/capture/v1/imports/:id/rejected",
      queryParameters: RejectedLinesQuery,
      handle: ({ caller, params, query }) => rejected(caller.project, params["id"] ?? "", query),
    }),
    route({
      ...access,
      operation: "cancel_import",
      method: "delete",
      path: "/capture/v1/imports/:id",
      handle: ({ caller, params }) => cancel(caller.project, params["id"] ?? ""),
    }),
  ];
};

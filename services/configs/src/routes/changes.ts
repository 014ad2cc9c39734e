import { gidOf, RevertRequest } from "@ikg/contracts";
import { JsonText, type Route, route } from "@ikg/service";
import { z } from "zod";
import { applyChanges } from "../changes/apply.ts";
import { inverseChanges } from "../changes/inverse.ts";
import { callNote } from "../history/call-note.ts";
import { openJournal } from "../history/journal.ts";
import { listChanges, readChange } from "../history/read-changes.ts";
import type { Store } from "../records/store.ts";
import { appliedAnswer } from "./applied-answer.ts";
import { callerContextOf } from "./caller.ts";
import { pageAnswer, pageParameters } from "./change-page.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

/** GET /configs/v1/changes: change records of a project, newest first. */
export const listChangesRoute = (store: Store): Route =>
  route({
    operation: "list_changes",
    method: "get",
    path: "/configs/v1/changes",
    caller: "administrator",
    queryParameters: z.object({ project_id: gidOf("project"), ...pageParameters }),
    handle: async (input) => {
      const { project_id, cursor, pagesize } = input.query;
      const { items, last } = await listChanges(store, project_id, cursor, pagesize, callerContextOf(input));
      input.note(() => callNote(project_id, { call: "list", count: items.length }));
      return pageAnswer(items, last);
    },
  });

/** GET /configs/v1/changes/{id}: with the texts before and after. */
export const readChangeRoute = (store: Store): Route =>
  route({
    operation: "read_change",
    method: "get",
    path: "/configs/v1/changes/:id",
    caller: "administrator",
    handle: async (input) => {
      const { change, memory } = await readChange(store, input.params["id"] ?? "", callerContextOf(input));
      input.note(() => callNote(change.project_id, { call: "read", change_id: change.id }));
      return memory === undefined ? change : new JsonText([JSON.stringify(change)], () => memory.release());
    },
  });

/** POST /configs/v1/changes/{id}/revert: applies the inverse as a change set of its own. */
export const revertChangeRoute = (parts: RecordWriteParts): Route =>
  route({
    operation: "revert_change",
    method: "post",
    path: "/configs/v1/changes/:id/revert",
    caller: "administrator",
    request: RevertRequest,
    faults: "unprocessable",
    handle: async (input) => {
      const { store } = parts;
      const { message, force = false } = input.body;
      const caller = callerContextOf(input);
      const { change, memory } = await readChange(store, input.params["id"] ?? "", caller);
      try {
        const { id: reverts, project_id: projectId } = change;
        const set = { projectId, changes: inverseChanges(change, force), lenient: force };
        const journal = openJournal(parts, {
          ...input,
          caller,
          status: 200,
          message,
          reverts,
          callNote: (change_id, { length: count }) =>
            callNote(projectId, { call: "revert", change_id, reverts, count }),
        });
        const applied = await applyChanges(store, set, caller, journal.write, false);
        return await appliedAnswer(
          input,
          store,
          applied,
          { project_id: projectId, message },
          journal,
          caller,
        );
      } finally {
        memory?.release();
      }
    },
  });

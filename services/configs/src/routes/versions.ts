import { type ChangeableCollection, type Gid, RollbackRequest } from "@ikg/contracts";
import { reply, type Route, route } from "@ikg/service";
import { z } from "zod";
import { changeToVersion } from "../changes/rollback.ts";
import type { Collection } from "../records/collection.ts";
import { etagOf, presentAll } from "../collections/present.ts";
import { callNote } from "../history/call-note.ts";
import { openJournal } from "../history/journal.ts";
import { recordIn } from "../records/transition.ts";
import { listVersions, projectOf } from "../history/versions.ts";
import { requireReach, type Store } from "../records/store.ts";
import { updateRecord } from "../records/update.ts";
import { callerContextOf } from "./caller.ts";
import { pageAnswer, pageParameters } from "./change-page.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

/** GET /configs/v1/{collection}/{id}/versions: the newest first. */
export const versionsRoute = (collection: Collection, name: ChangeableCollection, store: Store): Route =>
  route({
    operation: `list_${collection.singular}_versions`,
    method: "get",
    path: `/configs/v1${collection.path}/:id/versions`,
    caller: "administrator",
    queryParameters: z.object(pageParameters),
    handle: async (input) => {
      const id = (input.params["id"] ?? "") as Gid; // checked by `listVersions`
      const { cursor, pagesize } = input.query;
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(cursor, 16);
      const caller = callerContextOf(input);
      const project = await projectOf(store, id, caller);
      requireReach(caller, project);
      const { items, last } = await listVersions(store, name, id, before, pagesize, caller);
      const chain = project ?? caller.organizationId;
      input.note(() => callNote(chain, { call: "versions", kind: collection.kind, id, count: items.length }));
      return pageAnswer(items, last?.toString(16));
    },
  });

/** POST /configs/v1/{collection}/{id}/rollback: a new version with the content of an old one. */
export const rollbackRoute = (
  collection: Collection,
  name: ChangeableCollection,
  parts: RecordWriteParts,
): Route =>
  route({
    operation: `rollback_${collection.singular}`,
    method: "post",
    path: `/configs/v1${collection.path}/:id/rollback`,
    caller: "administrator",
    request: RollbackRequest,
    faults: "unprocessable",
    handle: async (input) => {
      const { store } = parts;
      const id = input.params["id"] ?? "";
      const { version, message } = input.body;
      const caller = callerContextOf(input);
      const change = await changeToVersion(store, collection, name, id, version, caller);
      const journal = openJournal(parts, {
        ...input,
        caller,
        status: 200,
        message,
        callNote: (change_id, [first]) => {
          const record = first === undefined ? undefined : recordIn(first);
          const chain = record?.projectId ?? caller.organizationId;
          return callNote(chain, { call: "rollback", change_id, kind: collection.kind, id });
        },
      });
      const precondition = { ifMatch: input.ifMatch, required: store.requireIfMatch };
      const updated = await updateRecord(store, collection, id, change, precondition, caller, journal.write);
      await journal.publish();
      const [shown] = await presentAll(collection, store, [updated.record], caller);
      return reply(200, { ...shown, warnings: updated.warnings }, { ETag: etagOf(updated.record) });
    },
  });

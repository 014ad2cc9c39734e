import { Problem } from "@ikg/contracts";
import { reply, type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { etagOf, presentAll } from "../collections/present.ts";
import { readNote } from "../records/change-note.ts";
import { readRecord, readRecordByName } from "../records/read.ts";
import type { StoredRecord } from "../records/record.ts";
import { type CallerContext, requireReach, type Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";
import { givenScope, nameScope, type ReadQuery, readQuery } from "./query.ts";

const readBy = (
  collection: Collection,
  store: Store,
  text: string,
  query: ReadQuery,
  caller: CallerContext,
): Promise<StoredRecord> => {
  const version = collection.hasName ? query.version : undefined;
  const scope = givenScope(collection, query);
  if (text.startsWith("gid:")) return readRecord(store, collection.kind, text, caller, version);
  if (!collection.hasName) throw new Problem("not_found");
  const scopeId = nameScope(collection, scope, caller);
  // Before the look-up, so that the answer is the same whether the project has such a name or not.
  if (collection.scope === "project") requireReach(caller, scopeId);
  return readRecordByName(store, collection.kind, scopeId, text, caller, version);
};

/** GET of one record by gid, or by name in its project or organization. */
export const read = (collection: Collection, store: Store): Route =>
  route({
    operation: `read_${collection.singular}`,
    method: "get",
    path: `/configs/v1${collection.path}/:id`,
    caller: "administrator",
    queryParameters: readQuery(collection),
    handle: async (input) => {
      const caller = callerContextOf(input);
      const record = await readBy(collection, store, input.params["id"] ?? "", input.query, caller);
      if (store.recordReads)
        input.note(() => readNote(collection.kind, record.projectId ?? record.organizationId, record));
      const [body] = await presentAll(collection, store, [record], caller);
      return reply(200, body, { ETag: etagOf(record) });
    },
  });

import { JsonText, type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { presentAll } from "../collections/present.ts";
import { readNote } from "../records/change-note.ts";
import { listRecords } from "../records/list.ts";
import type { Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";
import { checkOrganization, listQuery } from "./query.ts";

/** GET of a collection: the whole set, in the order of making. */
export const list = (collection: Collection, store: Store): Route =>
  route({
    operation: `list_${collection.plural}`,
    method: "get",
    path: `/configs/v1${collection.path}`,
    caller: "administrator",
    queryParameters: listQuery(collection),
    handle: async (input) => {
      const { query } = input;
      const caller = callerContextOf(input);
      checkOrganization(query, caller);
      const scopeId = query[`${collection.scope}_id`];
      const { records, memory } = await listRecords(
        store,
        collection,
        {
          scopeId,
          search: query.search,
          type: query.type,
          full: query.full_fetch === "true",
        },
        caller,
      );
      try {
        // After the read, which finds only what the caller may read: the record goes to the chain of that project.
        if (store.recordReads) input.note(() => readNote(collection.kind, scopeId ?? caller.organizationId));
        const data = await presentAll(collection, store, records, caller);
        if (memory === undefined) return { data };
        const pieces = data.map((record, at) => (at === 0 ? "" : ",") + JSON.stringify(record));
        return new JsonText([`{"data":[`, ...pieces, "]}"], () => memory.release());
      } catch (error) {
        memory?.release();
        throw error;
      }
    },
  });

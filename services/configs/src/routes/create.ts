import { reply, type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { etagOf, present } from "../collections/present.ts";
import { openJournal } from "../history/journal.ts";
import { createRecord } from "../records/create.ts";
import { callerContextOf } from "./caller.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

/** POST of a collection: the record, and secrets that are returned only once. */
export const create = (collection: Collection, parts: RecordWriteParts): Route =>
  route({
    operation: `create_${collection.singular}`,
    method: "post",
    path: `/configs/v1${collection.path}`,
    caller: "administrator",
    request: collection.create,
    faults: "unprocessable",
    handle: async (input) => {
      const { store, graphs } = parts;
      const caller = callerContextOf(input);
      const journal = openJournal(parts, {
        ...input,
        caller,
        status: 201,
        fields: Object.keys(input.body),
      });
      const created = await createRecord(store, collection, input.body, caller, journal.write);
      const { once, warnings } = created;
      await journal.publish();
      const record = await graphs.settle(created.record);
      return reply(
        201,
        { ...present(collection, store.keys, record), ...once, warnings },
        { ETag: etagOf(record) },
      );
    },
  });

import { type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { openJournal } from "../history/journal.ts";
import { removeRecord } from "../records/remove.ts";
import { callerContextOf } from "./caller.ts";
import { removeQuery } from "./query.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

/** DELETE of a record and all that it contains. */
export const remove = (collection: Collection, parts: RecordWriteParts): Route =>
  route({
    operation: `delete_${collection.singular}`,
    method: "delete",
    path: `/configs/v1${collection.path}/:id`,
    caller: "administrator",
    queryParameters: removeQuery(collection),
    handle: async (input) => {
      const { store, graphs } = parts;
      const id = input.params["id"] ?? "";
      const caller = callerContextOf(input);
      const journal = openJournal(parts, { ...input, caller, status: 200 });
      const { records, graph } = await removeRecord(
        store,
        collection.kind,
        id,
        { ifMatch: input.ifMatch ?? input.query.etag, required: store.requireIfMatch },
        caller,
        journal.write,
      );
      await journal.publish();
      // The record is gone whatever becomes of its graph: what fails is logged and taken up again.
      if (graph !== undefined) await graphs.remove(graph);
      else await graphs.followRemoved(records);
      return { id };
    },
  });

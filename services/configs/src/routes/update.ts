import { type UpdateOf, type Fields } from "@ikg/contracts";
import { reply, type Route, route } from "@ikg/service";
import { z } from "zod";
import type { Collection } from "../records/collection.ts";
import { etagOf, presentAll } from "../collections/present.ts";
import { openJournal } from "../history/journal.ts";
import { changeIn, updateRecord } from "../records/update.ts";
import { callerContextOf } from "./caller.ts";
import type { RecordWriteParts } from "./record-write-parts.ts";

/** PUT of a record: its whole new state, where fields may say otherwise. */
export const update = (
  collection: Collection,
  schema: z.ZodType<UpdateOf<Fields>>,
  parts: RecordWriteParts,
): Route =>
  route({
    operation: `update_${collection.singular}`,
    method: "put",
    path: `/configs/v1${collection.path}/:id`,
    caller: "administrator",
    // Parsed by the verb, which knows the record that it is about.
    request: z.custom<Readonly<Record<string, unknown>>>(),
    handle: async (input) => {
      const { store, graphs } = parts;
      const id = input.params["id"] ?? "";
      const caller = callerContextOf(input);
      const journal = openJournal(parts, {
        ...input,
        caller,
        status: 200,
        fields: Object.keys(input.body),
      });
      const updated = await updateRecord(
        store,
        collection,
        id,
        await changeIn(store, collection, schema, id, input.body, caller),
        { ifMatch: input.ifMatch, required: store.requireIfMatch },
        caller,
        journal.write,
      );
      const { warnings } = updated;
      await journal.publish();
      const record = await graphs.settle(updated.record);
      const [shown] = await presentAll(collection, store, [record], caller);
      return reply(200, { ...shown, warnings }, { ETag: etagOf(record) });
    },
  });

import { reply, type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { etagOf, present } from "../collections/present.ts";
import { createRecord } from "../records/create.ts";
import { changeNote } from "../records/change-note.ts";
import { askerOf } from "./caller.ts";
import type { Writing } from "./writing.ts";

/** POST of a collection: the record, and what only its maker is ever told. */
export const create = (collection: Collection, { store, announce, graphs }: Writing): Route =>
  route({
    operation: `create_${collection.singular}`,
    method: "post",
    path: `/configs/v1${collection.path}`,
    caller: "service_account",
    request: collection.create,
    faults: "unprocessable",
    handle: async (input) => {
      const made = await createRecord(store, collection, input.body, askerOf(input));
      const { once, warnings } = made;
      input.note(() => changeNote("create", made.record, Object.keys(input.body)));
      await announce("created", [made.record]);
      const record = await graphs.settle(made.record);
      return reply(
        201,
        { ...present(collection, store.keys, record), ...once, warnings },
        { ETag: etagOf(record) },
      );
    },
  });

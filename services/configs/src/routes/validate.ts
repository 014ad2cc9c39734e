import { type Route, route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { validateRecord } from "../records/create.ts";
import type { Store } from "../records/store.ts";
import { askerOf } from "./caller.ts";

/** POST of a create body that is only judged: what creating it would refuse, or warn of; nothing is stored. */
export const validate = (collection: Collection, store: Store): Route =>
  route({
    operation: `validate_${collection.singular}`,
    method: "post",
    path: `/configs/v1${collection.path}/validate`,
    caller: "service_account",
    request: collection.create,
    faults: "unprocessable",
    handle: async (input) => ({
      warnings: await validateRecord(store, collection, input.body, askerOf(input)),
    }),
  });

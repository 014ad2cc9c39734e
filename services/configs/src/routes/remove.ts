import { setTimeout as wait } from "node:timers/promises";
import { type Route, route } from "@ikg/service";
import type { Collection } from "../collections/collection.ts";
import type { Announce } from "../records/announce.ts";
import type { GraphRemovals } from "../records/graph-removal.ts";
import { removeRecord } from "../records/remove.ts";
import type { Store } from "../records/store.ts";
import { askerOf } from "./asker.ts";
import { removeQuery } from "./query.ts";

/** How long an answer waits for the graph data of a project to go; a large graph goes on without it. */
const patienceMs = 5_000;

/** DELETE of a record and all that it contains (api specification 8.6). */
export const remove = (
  collection: Collection,
  store: Store,
  announce: Announce,
  removals: GraphRemovals,
): Route =>
  route({
    operation: `delete_${collection.singular}`,
    method: "delete",
    path: `/configs/v1${collection.path}/:id`,
    caller: "service_account",
    queryParameters: removeQuery(collection),
    handle: async (input) => {
      const id = input.params["id"] ?? "";
      const { records, projectKey } = await removeRecord(
        store,
        collection.kind,
        id,
        { ifMatch: input.ifMatch ?? input.query.etag, required: store.requireIfMatch },
        askerOf(input),
      );
      await announce("deleted", records);
      if (projectKey !== undefined)
        // The record is gone whatever becomes of this; what fails is logged and taken up again.
        await Promise.race([
          removals.begin(projectKey).catch(() => undefined),
          wait(patienceMs, undefined, { ref: false }),
        ]);
      return { id };
    },
  });

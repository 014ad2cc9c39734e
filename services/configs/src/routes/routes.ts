import type { Route } from "@ikg/service";
import type { Announce } from "../records/announce.ts";
import type { GraphRemovals } from "../records/graph-removal.ts";
import type { Store } from "../records/store.ts";
import { create } from "./create.ts";
import { list } from "./list.ts";
import { currentOrganization, organization } from "./organizations.ts";
import { read } from "./read.ts";
import { remove } from "./remove.ts";
import { update } from "./update.ts";
import { validate } from "./validate.ts";

/** Every endpoint of the service: those of each collection, and the organization's own. */
export const configRoutes = (store: Store, announce: Announce, removals: GraphRemovals): readonly Route[] => [
  currentOrganization(store),
  organization(store),
  ...[...store.collections.values()].flatMap((collection) => [
    create(collection, store, announce),
    list(collection, store),
    // Before the path of a single record, which would take its last part for an id.
    ...(collection.warnings === undefined ? [] : [validate(collection, store)]),
    read(collection, store),
    ...(collection.update === undefined ? [] : [update(collection, collection.update, store, announce)]),
    remove(collection, store, announce, removals),
  ]),
];

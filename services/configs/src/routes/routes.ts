import type { Route } from "@ikg/service";
import type { Announce } from "../records/announce.ts";
import type { GraphRemovals } from "../records/graph-removal.ts";
import type { Store } from "../records/store.ts";
import { create } from "./create.ts";
import { list } from "./list.ts";
import { currentOrganization, organization } from "./organizations.ts";
import { read } from "./read.ts";
import { remove } from "./remove.ts";

/** Every endpoint of the service: four per collection, and the organization's own. */
export const configRoutes = (store: Store, announce: Announce, removals: GraphRemovals): readonly Route[] => [
  currentOrganization(store),
  organization(store),
  ...[...store.collections.values()].flatMap((collection) => [
    create(collection, store, announce),
    list(collection, store),
    read(collection, store),
    remove(collection, store, announce, removals),
  ]),
];

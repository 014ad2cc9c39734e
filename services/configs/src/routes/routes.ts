import type { Route } from "@ikg/service";
import { create } from "./create.ts";
import { list } from "./list.ts";
import { currentOrganization, organization } from "./organizations.ts";
import { read } from "./read.ts";
import { remove } from "./remove.ts";
import { update } from "./update.ts";
import { validate } from "./validate.ts";
import type { Writing } from "./writing.ts";

/** Every endpoint of the service: those of each collection, and the organization's own. */
export const configRoutes = (writing: Writing): readonly Route[] => [
  currentOrganization(writing.store),
  organization(writing.store),
  ...[...writing.store.collections.values()].flatMap((collection) => [
    create(collection, writing),
    list(collection, writing.store),
    // Before the path of a single record, which would take its last part for an id.
    ...(collection.warnings === undefined ? [] : [validate(collection, writing.store)]),
    read(collection, writing.store),
    ...(collection.update === undefined ? [] : [update(collection, collection.update, writing)]),
    remove(collection, writing),
  ]),
];

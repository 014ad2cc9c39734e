import type { Route } from "@ikg/service";
import type { Collection } from "../records/collection.ts";
import { changeableOf } from "../history/kinds.ts";
import { currentAdministrator } from "./administrators.ts";
import { applyChangesRoute } from "./apply-changes.ts";
import { listChangesRoute, readChangeRoute, revertChangeRoute } from "./changes.ts";
import { create } from "./create.ts";
import { exportRoute } from "./export.ts";
import { list } from "./list.ts";
import { currentOrganization, organization } from "./organizations.ts";
import { read } from "./read.ts";
import { remove } from "./remove.ts";
import { type ReadStatus, suiteStatus } from "./status.ts";
import { update } from "./update.ts";
import { type PreviewParts, validate } from "./validate.ts";
import { rollbackRoute, versionsRoute } from "./versions.ts";
import type { Writing } from "./writing.ts";

const versionRoutes = (collection: Collection, writing: Writing): readonly Route[] => {
  const name = changeableOf(collection.kind);
  if (name === undefined) return [];
  return [versionsRoute(collection, name, writing.store), rollbackRoute(collection, name, writing)];
};

/** Every endpoint of the service: those of each collection, the organization's own, and the state of the suite. */
export const configRoutes = (
  writing: Writing & PreviewParts & { readonly suiteStatus: ReadStatus },
): readonly Route[] => [
  suiteStatus(writing.suiteStatus),
  currentAdministrator(writing.store),
  currentOrganization(writing.store),
  organization(writing.store),
  applyChangesRoute(writing),
  listChangesRoute(writing.store),
  readChangeRoute(writing.store),
  revertChangeRoute(writing),
  exportRoute(writing.store),
  ...[...writing.store.collections.values()].flatMap((collection) => [
    create(collection, writing),
    list(collection, writing.store),
    // Before the path of a single record, which would take its last part for an id.
    ...(collection.warnings === undefined ? [] : [validate(collection, writing)]),
    ...versionRoutes(collection, writing),
    read(collection, writing.store),
    ...(collection.update === undefined ? [] : [update(collection, collection.update, writing)]),
    remove(collection, writing),
  ]),
];

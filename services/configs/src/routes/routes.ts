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
import type { RecordWriteParts } from "./record-write-parts.ts";

const versionRoutes = (collection: Collection, parts: RecordWriteParts): readonly Route[] => {
  const name = changeableOf(collection.kind);
  if (name === undefined) return [];
  return [versionsRoute(collection, name, parts.store), rollbackRoute(collection, name, parts)];
};

/** Every endpoint of the service: those of each collection, the organization's own, and the state of the suite. */
export const configRoutes = (
  parts: RecordWriteParts & PreviewParts & { readonly suiteStatus: ReadStatus },
): readonly Route[] => [
  suiteStatus(parts.suiteStatus),
  currentAdministrator(parts.store),
  currentOrganization(parts.store),
  organization(parts.store),
  applyChangesRoute(parts),
  listChangesRoute(parts.store),
  readChangeRoute(parts.store),
  revertChangeRoute(parts),
  exportRoute(parts.store),
  ...[...parts.store.collections.values()].flatMap((collection) => [
    create(collection, parts),
    list(collection, parts.store),
    // Before the path of a single record, which would take its last part for an id.
    ...(collection.warnings === undefined ? [] : [validate(collection, parts)]),
    ...versionRoutes(collection, parts),
    read(collection, parts.store),
    ...(collection.update === undefined ? [] : [update(collection, collection.update, parts)]),
    remove(collection, parts),
  ]),
];

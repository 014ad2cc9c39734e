import { type Gid, Problem } from "@ikg/contracts";
import { type ResponseBudget, withTimeoutAsUnavailable } from "@ikg/graph";
import type { Reservation } from "@ikg/service";
import { partOf, quoteName, recordLabel, type RecordLabelKind, recordLabels } from "@ikg/physical";
import { type Collection, lineage } from "./collection.ts";
import { projection, recordOf, type StoredRecord } from "./record.ts";
import { type CallerContext, requireReach, statementOptions, type Store } from "./store.ts";

export interface ListRequest {
  /** Project or organization whose records are listed; absent: everything of the caller's organization. */
  readonly scopeId?: Gid | undefined;
  /** Case-insensitive part of name, display name or description; empty: no filter. */
  readonly search?: string | undefined;
  /** One of the collection's `listTypes`. */
  readonly type?: string | undefined;
  /** With the texts of policies and queries. */
  readonly full: boolean;
}

/**
 * Follows containment from the scope down to the collection, so that nothing of others is looked at. A row
 * without a record says that the scope exists and is empty.
 */
const listText = (store: Store, collection: Collection, scoped: boolean, full: boolean): string => {
  const kinds = lineage(store.collections, collection.kind);
  const root = scoped ? collection.scope : "organization";
  const steps = kinds
    .slice(0, kinds.indexOf(root))
    .toReversed()
    .map(
      (kind, at, all) =>
        `<-[:${partOf}]-(${at === all.length - 1 ? "r" : ""}:${quoteName(recordLabels[kind])})`,
    );
  const { typeProperty } = collection;
  const type = typeProperty === undefined ? "" : ` AND ($type IS NULL OR r.${typeProperty} = $type)`;
  return [
    `MATCH (root:${recordLabel} {id: $root}) WHERE root.kind = $kind AND root.organization_id = $organization`,
    `OPTIONAL MATCH (root)${steps.join("")}`,
    "WHERE ($search = '' OR toLower(r.name) CONTAINS toLower($search)",
    "OR toLower(coalesce(r.display_name, r.name, r.kid)) CONTAINS toLower($search)",
    `OR toLower(r.description) CONTAINS toLower($search))${type}`,
    "AND ($projects IS NULL OR r.project_id IN $projects)",
    `WITH r ORDER BY r.create_time, r.id RETURN CASE WHEN r IS NULL THEN null ELSE ${projection("r", full)} END AS record`,
  ].join(" ");
};

/** Kinds whose records belong to the organization alone. */
const ofOrganization: ReadonlySet<RecordLabelKind> = new Set([
  "service_account",
  "service_account_credential",
]);

/**
 * The projects whose records are listed; null: all of the scope.
 *
 * @throws Problem `role_missing` for a scope in which the caller may not read.
 */
const listedProjects = (
  { kind, scope }: Collection,
  { scopeId }: ListRequest,
  caller: CallerContext,
): readonly Gid[] | null => {
  const { reach } = caller;
  if (scope === "project" && scopeId !== undefined) requireReach(caller, scopeId);
  else if (reach !== "organization") {
    if (ofOrganization.has(kind)) requireReach(caller, undefined);
    return reach;
  }
  return null;
};

/**
 * Lists records in the order of their making, of projects in which the caller may read.
 *
 * @returns also the memory of a large list, to be released once it was sent.
 * @throws Problem `not_found` when the caller's organization has no such scope; as `listedProjects` and `ListMemory.read`.
 */
export const listRecords = async (
  store: Store,
  collection: Collection,
  request: ListRequest,
  caller: CallerContext,
): Promise<{ readonly records: readonly StoredRecord[]; readonly memory: Reservation | undefined }> => {
  const scoped = request.scopeId !== undefined;
  const projects = listedProjects(collection, request, caller);
  const read = (responseBudget: ResponseBudget) =>
    store.databaseOf(caller).read(
      listText(store, collection, scoped, request.full),
      {
        root: request.scopeId ?? caller.organizationId,
        kind: scoped ? collection.scope : "organization",
        organization: caller.organizationId,
        search: request.search ?? "",
        type: request.type ?? null,
        projects: projects === null ? null : [...projects],
      },
      { ...statementOptions(caller), responseBudget },
    );
  const { result: rows, memory } = await withTimeoutAsUnavailable(() =>
    store.lists.read(caller.organizationId, read),
  );
  if (rows.length === 0) throw new Problem("not_found");
  const records = rows
    .map((row) => row["record"])
    .filter((record) => record !== null)
    .map(recordOf);
  return { records, memory };
};

import { type Gid, Problem, type ProjectExport } from "@ikg/contracts";
import { withTimeoutAsUnavailable } from "@ikg/graph";
import { recordLabel, type RecordLabelKind } from "@ikg/physical";
import type { Reservation } from "@ikg/service";
import { etagOf } from "../collections/present.ts";
import { putContent } from "../history/put-content.ts";
import { changeableOf } from "../history/kinds.ts";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import { type CallerContext, requireReach, statementOptions, type Store } from "../records/store.ts";

/** One statement, so that the document shows one moment. The project itself is among the records. */
const exportText = [
  `MATCH (p:${recordLabel} {id: $project}) WHERE p.kind = 'project' AND p.organization_id = $organization`,
  `CALL (p) { RETURN p AS r UNION MATCH (r:${recordLabel} {project_id: p.id}) WHERE r.kind <> 'role_binding' RETURN r }`,
  `WITH DISTINCT r ORDER BY r.create_time, r.id RETURN ${projection("r", true)} AS record`,
].join(" ");

/** Credentials are secrets as a whole. */
const credentialKinds: ReadonlySet<RecordLabelKind> = new Set([
  "application_agent_credential",
  "service_account_credential",
]);

interface Exported {
  readonly kind: RecordLabelKind;
  readonly collection: string;
  readonly name: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly version: number;
  readonly etag: string;
}

const exportedOf = (store: Store, record: StoredRecord, names: ReadonlyMap<Gid, string>): Exported => {
  const collection = store.collections.get(record.kind);
  if (collection === undefined) throw new Error(`no collection of ${record.kind}`);
  const { content, secrets } = putContent(collection, store.keys, record, (id) => names.get(id));
  return {
    kind: record.kind,
    collection: collection.path.slice(1),
    name: record.name ?? record.id,
    record: content,
    secrets,
    version: record.version,
    etag: etagOf(record),
  };
};

/** Names of the secrets of these records: fields that are left out, and credentials, which are secrets as a whole. */
const secretsOf = (
  store: Store,
  exported: readonly Exported[],
  credentials: readonly StoredRecord[],
): ProjectExport["secrets"] => [
  ...exported.flatMap(({ collection, name, secrets }) =>
    secrets.map((field) => ({ collection, name, field })),
  ),
  ...credentials.map(({ kind, columns, id }) => ({
    collection: store.collections.get(kind)?.path.slice(1) ?? kind,
    name: typeof columns["kid"] === "string" ? columns["kid"] : id,
    field: "token",
  })),
];

const documentOf = (store: Store, projectId: Gid, records: readonly StoredRecord[]): ProjectExport => {
  const names = new Map(records.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
  const credentials = records.filter(({ kind }) => credentialKinds.has(kind));
  const exported = records
    .filter(({ kind }) => !credentialKinds.has(kind))
    .map((record) => exportedOf(store, record, names));
  const changes = exported.flatMap(({ kind, name, record }) => {
    const collection = changeableOf(kind);
    return collection === undefined ? [] : [{ op: "put" as const, collection, name, record }];
  });
  return {
    project_id: projectId,
    export_time: store.now().toISOString(),
    // Policies before the queries that name them, so that slices of the list can be applied one after the other.
    changes: changes.toSorted((a, b) => a.collection.localeCompare(b.collection)),
    versions: exported.map(({ collection, name, version, etag }) => ({ collection, name, version, etag })),
    records: exported
      .filter(({ kind }) => changeableOf(kind) === undefined)
      .map(({ collection, name, record }) => ({ collection, name, record })),
    secrets: secretsOf(store, exported, credentials),
  };
};

/**
 * Every configurable record of a project as one document, without who has which role in it. Policies and queries are changes, the
 * rest is for the command line; values of secrets are left out and named.
 *
 * @returns also the memory of a large one, to be released once it was sent.
 * @throws Problem `not_found` for a project of others; `unprocessable` for a project that is too large for one answer.
 */
export const exportProject = async (
  store: Store,
  projectId: Gid,
  caller: CallerContext,
): Promise<{ readonly document: ProjectExport; readonly memory: Reservation | undefined }> => {
  requireReach(caller, projectId);
  const { result: rows, memory } = await withTimeoutAsUnavailable(() =>
    store.lists.read(caller.organizationId, (responseBudget) =>
      store
        .databaseOf(caller)
        .read(
          exportText,
          { project: projectId, organization: caller.organizationId },
          { ...statementOptions(caller), responseBudget },
        ),
    ),
  );
  try {
    if (rows.length === 0) throw new Problem("not_found");
    const records = rows.map((row) => recordOf(row["record"]));
    return { document: documentOf(store, projectId, records), memory };
  } catch (error) {
    memory?.release();
    throw error;
  }
};

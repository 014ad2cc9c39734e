import type { ChangeableCollection, Gid, RecordVersions } from "@ikg/contracts";
import { isGid, Problem } from "@ikg/contracts";
import { withTimeoutAsUnavailable } from "@ikg/graph";
import { recordLabel, versionLabel, versionOf } from "@ikg/physical";
import { type CallerContext, statementOptions, type Store } from "../records/store.ts";
import { kindOf } from "./kinds.ts";
import { versionsInChanges } from "./read-changes.ts";

const storedText = [
  `MATCH (r:${recordLabel} {id: $id}) WHERE r.kind = $kind AND r.organization_id = $organization`,
  `CALL (r) { RETURN r AS v UNION MATCH (v:${versionLabel})-[:${versionOf}]->(r) RETURN v }`,
  "WITH v WHERE v.version < $before",
  "RETURN v.version AS version, v.update_time AS time, v.updated_by AS by ORDER BY version DESC LIMIT $limit",
].join(" ");

export interface VersionPage {
  readonly items: RecordVersions["items"];
  /** The last version of the page, when there are more. */
  readonly last: number | undefined;
}

/**
 * Versions of a record, the newest first: those that are stored with it, and those that change records know, also of a record
 * that is gone.
 *
 * @throws Problem `not_found` when neither knows of the record.
 */
export const listVersions = async (
  store: Store,
  collection: ChangeableCollection,
  id: string,
  before: number,
  limit: number,
  caller: CallerContext,
): Promise<VersionPage> => {
  if (!isGid(id)) throw new Problem("not_found");
  const params = {
    id,
    kind: kindOf[collection],
    organization: caller.organizationId,
    before,
    limit: limit + 1,
  };
  const [rows, known] = await Promise.all([
    withTimeoutAsUnavailable(() =>
      store.databaseOf(caller).read(storedText, params, statementOptions(caller)),
    ),
    versionsInChanges(store, collection, id, before, limit + 1, caller),
  ]);
  const items = new Map<number, RecordVersions["items"][number]>();
  for (const row of rows)
    items.set(Number(row["version"]), {
      version: Number(row["version"]),
      create_time: String(row["time"]),
      created_by: String(row["by"]),
    });
  for (const { version, time, by, changeId } of known)
    items.set(version, {
      create_time: time,
      created_by: by,
      ...items.get(version),
      version,
      change_id: changeId,
    });
  const sorted = [...items.values()].toSorted((a, b) => b.version - a.version);
  if (sorted.length === 0 && before === Number.MAX_SAFE_INTEGER) throw new Problem("not_found");
  const shown = sorted.slice(0, limit);
  return { items: shown, last: sorted.length > limit ? shown.at(-1)?.version : undefined };
};

/** The project of a record; undefined for a record that is gone. */
export const projectOf = async (store: Store, id: Gid, caller: CallerContext): Promise<Gid | undefined> => {
  const text = [
    `OPTIONAL MATCH (r:${recordLabel} {id: $id}) WHERE r.organization_id = $organization`,
    "RETURN r.project_id AS project",
  ].join(" ");
  const [row] = await withTimeoutAsUnavailable(() =>
    store
      .databaseOf(caller)
      .read(text, { id, organization: caller.organizationId }, statementOptions(caller)),
  );
  return (row?.["project"] ?? undefined) as Gid | undefined; // written as a gid
};

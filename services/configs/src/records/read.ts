import { type Gid, isGid, Problem, reaches } from "@ikg/contracts";
import { withTimeoutAsUnavailable } from "@ikg/graph";
import {
  lookUpProperties,
  nameKey,
  recordLabel,
  type RecordLabelKind,
  versionKey,
  versionLabel,
} from "@ikg/physical";
import { projection, recordOf, type StoredRecord } from "./record.ts";
import { type CallerContext, statementOptions, type Store } from "./store.ts";

const statement = (property: "id" | "name_key"): string =>
  [
    `MATCH (r:${recordLabel} {${property}: $key}) WHERE r.kind = $kind AND r.organization_id = $organization`,
    `OPTIONAL MATCH (v:${versionLabel} {version_key: r.id + $version})`,
    `RETURN ${projection("r", true)} AS record,`,
    `CASE WHEN v IS NULL THEN null ELSE ${projection("v", true)} END AS former`,
  ].join(" ");

const byId = statement("id");
const byName = statement("name_key");

/** State that follows from what happens, not from what was configured: always the present one. */
const runTime = [lookUpProperties.ikgStatus, lookUpProperties.ikgStatusReason];

const withRunTime = (former: StoredRecord, { columns }: StoredRecord): StoredRecord => ({
  ...former,
  columns: { ...former.columns, ...Object.fromEntries(runTime.map((name) => [name, columns[name]])) },
});

const readOne = async (
  store: Store,
  kind: RecordLabelKind,
  text: string,
  key: string,
  version: number | undefined,
  caller: CallerContext,
  outOfReach: "role_missing" | "not_found",
): Promise<StoredRecord> => {
  const rows = await withTimeoutAsUnavailable(() =>
    store
      .databaseOf(caller)
      .read(
        text,
        { key, kind, organization: caller.organizationId, version: versionKey("", version ?? 0) },
        statementOptions(caller),
      ),
  );
  const record = rows[0]?.["record"];
  if (record === undefined) throw new Problem("not_found");
  const present = recordOf(record);
  if (kind !== "organization" && !reaches(caller.reach, present.projectId)) throw new Problem(outOfReach);
  if (version === undefined || version === present.version) return present;
  const former = rows[0]?.["former"];
  if (former === null || former === undefined) throw new Problem("not_found");
  return withRunTime(recordOf(former), present);
};

/**
 * @param version absent: the present state
 * @throws Problem `not_found` when the caller's organization has no such record, or the record no such version;
 *   `role_missing` where the caller may not read it.
 */
export const readRecord = async (
  store: Store,
  kind: RecordLabelKind,
  id: string,
  caller: CallerContext,
  version?: number,
): Promise<StoredRecord> => {
  if (!isGid(id)) throw new Problem("not_found");
  return readOne(store, kind, byId, id, version, caller, "role_missing");
};

/**
 * Reads a record by the name it has in its project or organization.
 *
 * @throws Problem `not_found`, whether the scope, the name or the version is unknown, or the caller may not read the record: the
 *   answer does not tell which names are in use.
 */
export const readRecordByName = (
  store: Store,
  kind: RecordLabelKind,
  scopeId: Gid,
  name: string,
  caller: CallerContext,
  version?: number,
): Promise<StoredRecord> =>
  readOne(store, kind, byName, nameKey(kind, scopeId, name), version, caller, "not_found");

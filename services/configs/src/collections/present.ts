import { omitUndefined } from "@ikg/contracts";
import { withTimeoutAsUnavailable } from "@ikg/graph";
import type { KeyRing } from "@ikg/secrets";
import { shownOf } from "../records/content.ts";
import type { Data, StoredRecord } from "../records/record.ts";
import { type CallerContext, statementOptions, type Store } from "../records/store.ts";
import type { Collection, ReadRows } from "../records/collection.ts";

/** Fields of every named record: `display_name` falls back to the name. */
const presentNamed = (record: StoredRecord): Data => ({
  id: record.id,
  name: record.name,
  display_name: record.displayName ?? record.name,
  description: record.description,
  create_time: record.createTime,
  created_by: record.createdBy,
  update_time: record.updateTime,
  updated_by: record.updatedBy,
});

/** Fields of a record without a name. */
const presentUnnamed = (record: StoredRecord): Data => ({
  id: record.id,
  create_time: record.createTime,
  created_by: record.createdBy,
});

/** The organization's own record: it has no parents. */
export const presentOrganization = (record: StoredRecord): Data => omitUndefined(presentNamed(record));

/** A record as the wire shows it. What has no value is left out. */
export const present = (collection: Collection, keys: KeyRing, record: StoredRecord): Data =>
  omitUndefined({
    ...(collection.hasName ? presentNamed(record) : presentUnnamed(record)),
    organization_id: record.organizationId,
    project_id: collection.scope === "project" ? record.projectId : undefined,
    [collection.parent.field]: record.parentId,
    ...shownOf(collection, keys, record),
    ...collection.present?.(record),
  });

/** Records as the wire shows them, with what other processes keep of them as it is now. */
export const presentAll = async (
  collection: Collection,
  { keys, databaseOf }: Pick<Store, "keys" | "databaseOf">,
  records: readonly StoredRecord[],
  caller: CallerContext,
): Promise<readonly Data[]> => {
  const read: ReadRows = (text, params) =>
    withTimeoutAsUnavailable(() => databaseOf(caller).read(text, params, statementOptions(caller)));
  const joined = records.length > 0 ? await collection.joinRuntimeFields?.(records, read) : undefined;
  return records.map((record) => ({ ...present(collection, keys, record), ...joined?.get(record.id) }));
};

/** The strong entity tag of a record's state (RFC 9110, section 8.8.3). */
export const etagOf = (record: StoredRecord): string => `"${record.etag}"`;

import { type Gid, isGid, Problem } from "@ikg/contracts";
import { nameKey, recordLabel, type RecordKind } from "@ikg/physical";
import { projection, recordOf, type StoredRecord } from "./record.ts";
import { type Asker, settled, statementOptions, type Store } from "./store.ts";

const statement = (property: "id" | "name_key"): string =>
  `MATCH (r:${recordLabel} {${property}: $key}) WHERE r.kind = $kind AND r.organization_id = $organization ` +
  `RETURN ${projection("r", true)} AS record`;

const byId = statement("id");
const byName = statement("name_key");

const readOne = async (
  store: Store,
  kind: RecordKind,
  text: string,
  key: string,
  asker: Asker,
): Promise<StoredRecord> => {
  const rows = await settled(() =>
    store.database.read(text, { key, kind, organization: asker.organizationId }, statementOptions(asker)),
  );
  const record = rows[0]?.["record"];
  if (record === undefined) throw new Problem("not_found");
  return recordOf(record);
};

/** @throws Problem `not_found` when the asker's organization has no such record. */
export const readRecord = async (
  store: Store,
  kind: RecordKind,
  id: string,
  asker: Asker,
): Promise<StoredRecord> => {
  if (!isGid(id)) throw new Problem("not_found");
  return readOne(store, kind, byId, id, asker);
};

/**
 * Reads a record by the name it has in its project or organization.
 *
 * @throws Problem `not_found`, whether the scope or the name is unknown.
 */
export const readRecordByName = (
  store: Store,
  kind: RecordKind,
  scopeId: Gid,
  name: string,
  asker: Asker,
): Promise<StoredRecord> => readOne(store, kind, byName, nameKey(kind, scopeId, name), asker);

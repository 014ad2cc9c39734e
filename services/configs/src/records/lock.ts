import type { Gid } from "@ikg/contracts";
import type { Row, Transaction } from "@ikg/graph";
import { recordLabel } from "@ikg/physical";
import { projection, recordOf, type StoredRecord } from "./record.ts";

// Writing a property takes the node's lock even when the value stays. A statement that waited for a lock continues
// with what it read before, so what holds now is read by a second one.
const lockText = `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id}) SET r.kind = r.kind`;
const readText = (text: boolean): string =>
  `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id}) RETURN ${projection("r", text)} AS record`;

const byId = (rows: readonly Row[]): ReadonlyMap<Gid, StoredRecord> =>
  new Map(rows.map((row) => recordOf(row["record"])).map((record) => [record.id, record]));

/** Reads records as they are now; those that exist, whatever their organization, without their large texts. */
export const readRecords = async (
  tx: Transaction,
  ids: readonly Gid[],
): Promise<ReadonlyMap<Gid, StoredRecord>> => byId(await tx.run(readText(false), { ids: [...ids] }));

/**
 * Locks and reads records: no other transaction can change or delete them before this one ends.
 *
 * @param text whether the texts of policies and queries are read as well.
 * @returns those that exist, whatever their organization.
 */
export const lockRecords = async (
  tx: Transaction,
  ids: readonly Gid[],
  text = false,
): Promise<ReadonlyMap<Gid, StoredRecord>> => {
  const sorted = [...new Set(ids)].sort();
  const [, rows] = await Promise.all([
    tx.run(lockText, { ids: sorted }),
    tx.run(readText(text), { ids: sorted }),
  ]);
  return byId(rows);
};

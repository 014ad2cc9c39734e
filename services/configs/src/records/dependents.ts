import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { recordLabel, uses } from "@ikg/physical";

/** A record that names another one, which cannot be deleted while it exists. */
export interface Dependent {
  readonly id: Gid;
  /** Kind and name, as errors show them. */
  readonly description: string;
}

const dependentsText = [
  `UNWIND $ids AS id MATCH (:${recordLabel} {id: id})<-[:${uses}]-(u:${recordLabel})`,
  "RETURN id AS used, u.id AS id, u.kind AS kind, coalesce(u.name, u.id) AS name ORDER BY kind, name",
].join(" ");

/** The stored dependents of records, by the id of the record that they name; records without any are left out. */
export const dependentsOf = async (
  tx: Transaction,
  ids: readonly Gid[],
): Promise<ReadonlyMap<Gid, readonly Dependent[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx.run(dependentsText, { ids: [...ids] });
  const dependents = rows.map((row) => ({
    used: row["used"] as Gid,
    id: row["id"] as Gid,
    description: `${String(row["kind"]).replaceAll("_", " ")} ${String(row["name"])}`,
  }));
  return Map.groupBy(dependents, ({ used }) => used);
};

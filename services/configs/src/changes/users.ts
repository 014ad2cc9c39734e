import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { recordLabel, uses } from "@ikg/physical";

/** A record that uses another one. */
export interface User {
  readonly id: Gid;
  /** Kind and name, in words. */
  readonly words: string;
}

// As many users of one record as an answer may tell, and those that the set itself changes.
const usersText = [
  `UNWIND $ids AS id MATCH (:${recordLabel} {id: id})<-[:${uses}]-(u:${recordLabel})`,
  "RETURN id AS used, u.id AS id, u.kind AS kind, coalesce(u.name, u.id) AS name ORDER BY kind, name",
].join(" ");

/** Records that use these, by the one that is used, as they are before the changes. */
export const usersOfAll = async (
  tx: Transaction,
  ids: readonly Gid[],
): Promise<ReadonlyMap<Gid, readonly User[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx.run(usersText, { ids: [...ids] });
  const users = rows.map((row) => ({
    used: row["used"] as Gid,
    id: row["id"] as Gid,
    words: `${String(row["kind"]).replaceAll("_", " ")} ${String(row["name"])}`,
  }));
  return Map.groupBy(users, ({ used }) => used);
};

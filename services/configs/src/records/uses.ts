import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { recordLabel, uses } from "@ikg/physical";
import type { References } from "./collection.ts";

const dropText = `MATCH (:${recordLabel} {id: $id})-[u:${uses}]->() DELETE u`;
const writeText = [
  `MATCH (r:${recordLabel} {id: $id})`,
  `UNWIND $used AS used MATCH (u:${recordLabel} {id: used}) CREATE (r)-[:${uses}]->(u)`,
].join(" ");

const usersText = [
  `MATCH (:${recordLabel} {id: $id})<-[:${uses}]-(u:${recordLabel})`,
  "RETURN u.kind AS kind, coalesce(u.name, u.id) AS name ORDER BY kind, name LIMIT 50",
].join(" ");

/** The records that name this one, in words: at most as many as an answer may tell. */
export const usersOf = async (tx: Transaction, id: Gid): Promise<readonly string[]> =>
  (await tx.run(usersText, { id })).map(
    ({ kind, name }) => `${String(kind).replaceAll("_", " ")} ${String(name)}`,
  );

/** Links a record with those that it names, which must be locked; each once. */
export const writeUses = async (
  tx: Transaction,
  id: Gid,
  references: References,
  former = false,
): Promise<void> => {
  if (former) await tx.run(dropText, { id });
  const used = [...new Set([...references.values()].map((record) => record.id))];
  if (used.length > 0) await tx.run(writeText, { id, used });
};

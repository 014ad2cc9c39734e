import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { recordLabel, uses } from "@ikg/physical";
import type { References } from "./collection.ts";

const dropText = `MATCH (:${recordLabel} {id: $id})-[u:${uses}]->() DELETE u`;
const writeText = [
  `MATCH (r:${recordLabel} {id: $id})`,
  `UNWIND $used AS used MATCH (u:${recordLabel} {id: used}) CREATE (r)-[:${uses}]->(u)`,
].join(" ");

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

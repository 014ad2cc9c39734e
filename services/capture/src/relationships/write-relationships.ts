import type { Transaction } from "@ikg/graph";
import { byType } from "./by-type.ts";
import type { RelationshipRow } from "./relationship-rows.ts";
import { upsertRelationshipsText } from "./statements.ts";

const writeGroup = async (
  tx: Transaction,
  type: string | undefined,
  rows: readonly RelationshipRow[],
  now: string,
): Promise<readonly RelationshipRow[]> => {
  const sent = rows.map((row, i) => ({
    i,
    t: row.type,
    a: row.sourceKey,
    b: row.targetKey,
    d: row.discriminator,
    p: row.fields,
  }));
  const written = await tx.run(upsertRelationshipsText(type), { rows: sent, now });
  return written.flatMap((row) => rows[Number(row["i"])] ?? []);
};

/** Writes the rows of a batch in an open transaction; resolves to those whose two ends were there. */
export const writeRelationships = async (
  tx: Transaction,
  rows: readonly RelationshipRow[],
  now: string,
): Promise<readonly RelationshipRow[]> =>
  // Sent together, carried out in this order.
  (await Promise.all(byType(rows).map(([type, group]) => writeGroup(tx, type, group, now)))).flat();

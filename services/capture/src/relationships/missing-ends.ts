import type { Transaction } from "@ikg/graph";
import type { RelationshipRow } from "./relationship-rows.ts";
import { existingKeysText } from "./statements.ts";

/** The keys of all ends, each once, sorted. */
export const endsOf = (rows: readonly RelationshipRow[]): string[] =>
  [...new Set(rows.flatMap((row) => [row.sourceKey, row.targetKey]))].sort();

/** Names the ends of each row that do not exist; a row with both is not in the map. */
export const missingEnds = async (
  tx: Transaction,
  rows: readonly RelationshipRow[],
): Promise<ReadonlyMap<RelationshipRow, readonly string[]>> => {
  const found = await tx.run(existingKeysText, { keys: endsOf(rows) });
  const existing = new Set(found.map((row) => row["k"]));
  const missing = new Map<RelationshipRow, readonly string[]>();
  for (const row of rows) {
    const ends = [
      ...(existing.has(row.sourceKey) ? [] : ["source: node does not exist"]),
      ...(existing.has(row.targetKey) ? [] : ["target: node does not exist"]),
    ];
    if (ends.length > 0) missing.set(row, ends);
  }
  return missing;
};

import type { Database } from "@ikg/graph";
import { auditSpillLabel, auditSpillPlace } from "@ikg/physical";
import { isCurrent, type KeyRing, open, seal } from "@ikg/secrets";
import type { Progress } from "./progress.ts";

const options = { timeoutMs: 30_000 };

/** Each may hold a megabyte. */
const batch = 20;

const readText = [
  `MATCH (s:${auditSpillLabel}) WHERE s.key > $after`,
  `RETURN s.key AS key, s.sealed AS sealed ORDER BY s.key LIMIT ${batch}`,
].join(" ");
// One that is gone was signed meanwhile.
const writeText = `UNWIND $rows AS row MATCH (s:${auditSpillLabel} {key: row.key}) SET s.sealed = row.sealed`;

/** Seals audit records that wait for a signature with the current key. */
export const resealRecords = async (database: Database, keys: KeyRing): Promise<Progress> => {
  const stuck: string[] = [];
  let [seen, resealed] = [0, 0];
  for (let after = ""; ;) {
    const rows = await database.read(readText, { after }, options);
    if (rows.length === 0) return { seen, resealed, missed: 0, stuck };
    const changes = rows.flatMap((row) => {
      const [key, sealed] = [String(row["key"]), String(row["sealed"])];
      try {
        const text = open(keys, auditSpillPlace(key), sealed);
        return isCurrent(keys, sealed) ? [] : [{ key, sealed: seal(keys, auditSpillPlace(key), text) }];
      } catch {
        stuck.push(`audit records ${key}`);
        return [];
      }
    });
    if (changes.length > 0) await database.write((tx) => tx.run(writeText, { rows: changes }), options);
    seen += rows.length;
    resealed += changes.length;
    after = String(rows.at(-1)?.["key"]);
  }
};

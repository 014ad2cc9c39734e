import type { Database } from "@ikg/graph";
import { auditSpillLabel, auditSpillPlace, graphRemovalLabel } from "@ikg/physical";
import { isCurrent, type KeyRing, open, seal, type SealedPlace } from "@ikg/secrets";
import { connectionPlace } from "../records/connection.ts";
import type { Progress } from "./progress.ts";

/** Nodes with a sealed text that are no records. */
interface SealedNodes {
  readonly label: string;
  /** The unique property by which they are walked. */
  readonly key: string;
  /** The property that is sealed; some nodes may not have it. */
  readonly sealed: string;
  readonly placeOf: (key: string) => SealedPlace;
  /** What they are, in a line for the operator. */
  readonly description: string;
}

const kinds: readonly SealedNodes[] = [
  {
    label: auditSpillLabel,
    key: "key",
    sealed: "sealed",
    placeOf: auditSpillPlace,
    description: "audit records",
  },
  {
    label: graphRemovalLabel,
    key: "project_id",
    sealed: "connection",
    placeOf: connectionPlace,
    description: "the database of the deleted project",
  },
];

const options = { timeoutMs: 30_000 };

/** Each may hold a megabyte. */
const batch = 20;

const readText = ({ label, key, sealed }: SealedNodes): string =>
  [
    `MATCH (n:${label}) WHERE n.${key} > $after AND n.${sealed} IS NOT NULL`,
    `RETURN n.${key} AS key, n.${sealed} AS sealed ORDER BY n.${key} LIMIT ${batch}`,
  ].join(" ");
// One that is gone was signed, or its removal has ended, meanwhile.
const writeText = ({ label, key, sealed }: SealedNodes): string =>
  `UNWIND $rows AS row MATCH (n:${label} {${key}: row.key}) SET n.${sealed} = row.sealed`;

const resealKind = async (database: Database, keys: KeyRing, kind: SealedNodes): Promise<Progress> => {
  const stuck: string[] = [];
  let [seen, resealed] = [0, 0];
  for (let after = ""; ;) {
    const rows = await database.read(readText(kind), { after }, options);
    if (rows.length === 0) return { seen, resealed, missed: 0, stuck };
    const changes = rows.flatMap((row) => {
      const [key, sealed] = [String(row["key"]), String(row["sealed"])];
      const place = kind.placeOf(key);
      try {
        const text = open(keys, place, sealed);
        return isCurrent(keys, sealed) ? [] : [{ key, sealed: seal(keys, place, text) }];
      } catch {
        stuck.push(`${kind.description} ${key}`);
        return [];
      }
    });
    if (changes.length > 0) await database.write((tx) => tx.run(writeText(kind), { rows: changes }), options);
    seen += rows.length;
    resealed += changes.length;
    after = String(rows.at(-1)?.["key"]);
  }
};

/**
 * Seals with the current key what is sealed outside of records: audit records that wait for a signature, and the connections of
 * deleted projects whose graphs are still to be removed.
 */
export const resealNodes = async (database: Database, keys: KeyRing): Promise<Progress> => {
  let [seen, resealed] = [0, 0];
  const stuck: string[] = [];
  for (const kind of kinds) {
    const progress = await resealKind(database, keys, kind);
    seen += progress.seen;
    resealed += progress.resealed;
    stuck.push(...progress.stuck);
  }
  return { seen, resealed, missed: 0, stuck };
};

import { recordDescriptions } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { recordLabel, versionLabel } from "@ikg/physical";
import { isCurrent, type KeyRing, open, seal } from "@ikg/secrets";
import type { Data } from "../records/record.ts";
import type { Progress } from "./progress.ts";
import { resealNodes } from "./sealed-nodes.ts";

export interface ResealOptions {
  readonly keys: KeyRing;
  /** Records read, and written, at a time. */
  readonly batch?: number;
  /** Only records of this organization; a run of tests has one of its own. */
  readonly organizationId?: string;
  /** Called after every batch is committed. */
  onBatch?(progress: Progress): void;
}

const options = { timeoutMs: 30_000 };

/** Fields that are kept sealed, by the kind of their record. */
const sealedFields: ReadonlyMap<string, readonly string[]> = new Map(
  recordDescriptions
    .map(({ kind, fields }) => {
      const names = Object.entries(fields).flatMap(([name, { sealed }]) => (sealed === true ? [name] : []));
      return [kind, names] as const;
    })
    .filter(([, names]) => names.length > 0),
);

/** Where sealed fields lie, each with the unique property by which it is walked. */
const places = [
  { label: recordLabel, key: "id" },
  { label: versionLabel, key: "version_key" },
] as const;

type SealedProperty = (typeof places)[number];

const readText = ({ label, key }: SealedProperty): string =>
  [
    `MATCH (r:${label}) WHERE r.${key} > $after AND r.kind IN $kinds`,
    "AND ($organization IS NULL OR r.organization_id = $organization)",
    `RETURN r.${key} AS key, r.id AS id, r.kind AS kind, r.data AS data ORDER BY r.${key} LIMIT $batch`,
  ].join(" ");

// As with every change of a record: the lock first, then what holds now, so that no update in between is lost.
const lockText = ({ label, key }: SealedProperty): string =>
  `UNWIND $rows AS row MATCH (r:${label} {${key}: row.key}) SET r.kind = r.kind`;
const writeText = ({ label, key }: SealedProperty): string =>
  `UNWIND $rows AS row MATCH (r:${label} {${key}: row.key}) WHERE r.data = row.from SET r.data = row.to RETURN count(r) AS count`;

/** The same data under the current key; undefined when it is already. */
const resealed = (keys: KeyRing, row: Row, stuck: string[]): string | undefined => {
  const [id, kind] = [String(row["id"]), String(row["kind"])];
  const data = JSON.parse(String(row["data"])) as Data; // written by this service
  const changes: Record<string, string> = {};
  for (const field of sealedFields.get(kind) ?? []) {
    const sealed = data[field];
    if (typeof sealed !== "string") continue;
    const place = { record: id, field };
    try {
      // Opened in any case: a key that is gone may have had the id of the current one.
      const text = open(keys, place, sealed);
      if (!isCurrent(keys, sealed)) changes[field] = seal(keys, place, text);
    } catch {
      stuck.push(`${kind} ${id} ${field}`);
    }
  }
  return Object.keys(changes).length === 0 ? undefined : JSON.stringify({ ...data, ...changes });
};

interface ResealedRow {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Replaces the data of those that still are what was read; the number of them. */
const write = (database: Database, place: SealedProperty, rows: readonly ResealedRow[]): Promise<number> =>
  database.write(async (tx) => {
    const [, written] = await Promise.all([
      tx.run(lockText(place), { rows }),
      tx.run(writeText(place), { rows }),
    ]);
    return Number(written[0]?.["count"]);
  }, options);

/**
 * Walks once over all records and former states and seals with the current key what a former key sealed. Every batch
 * is a transaction; entity tags and versions stay, because nothing visible changes.
 */
const walk = async (database: Database, { keys, batch = 200, ...more }: ResealOptions): Promise<Progress> => {
  const stuck: string[] = [];
  let [seen, done, missed] = [0, 0, 0];
  for (const place of places)
    for (let after = ""; ;) {
      const rows = await database.read(
        readText(place),
        {
          after,
          kinds: [...sealedFields.keys()],
          organization: more.organizationId ?? null,
          batch,
        },
        options,
      );
      if (rows.length === 0) break;
      const changes = rows.flatMap((row): ResealedRow[] => {
        const to = resealed(keys, row, stuck);
        return to === undefined ? [] : [{ key: String(row["key"]), from: String(row["data"]), to }];
      });
      const written = changes.length === 0 ? 0 : await write(database, place, changes);
      seen += rows.length;
      done += written;
      missed += changes.length - written;
      after = String(rows.at(-1)?.["key"]);
      more.onBatch?.({ seen, resealed: done, missed, stuck });
    }
  if (more.organizationId === undefined) {
    const nodes = await resealNodes(database, keys);
    seen += nodes.seen;
    done += nodes.resealed;
    stuck.push(...nodes.stuck);
  }
  return { seen, resealed: done, missed, stuck };
};

/** Walks after the first: a service that still seals with the former key would be noticed, and not waited for. */
const maxWalks = 5;

/**
 * Seals all secrets with the current key; may be repeated, interrupted, and run while the service is running.
 *
 * @returns the last walk, which found nothing more to do unless something is `missed` or `stuck`, with the number of
 *   all that were sealed.
 */
export const reseal = async (database: Database, settings: ResealOptions): Promise<Progress> => {
  let total = 0;
  for (let walks = 1; ; walks++) {
    const last = await walk(database, settings);
    total += last.resealed;
    const quiet = last.resealed === 0 && last.missed === 0;
    if (quiet || walks === maxWalks) return { ...last, missed: last.missed + last.resealed, resealed: total };
  }
};

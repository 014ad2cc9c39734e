import type { AuditRecord } from "@ikg/audit";
import { storeAnnouncements } from "@ikg/announcements";
import { createPeriodicTask, type PeriodicTask } from "@ikg/concurrency";
import type { ChangeAnnouncement, Gid } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { outboxLabel, takeLock } from "@ikg/physical";
import type { Log } from "../log.ts";
import { storeRecords } from "./store-records.ts";

export interface FormerEntriesParts {
  readonly database: Database;
  readonly log: Pick<Log, "warn">;
  /** Milliseconds between two runs. */
  readonly intervalMs?: number;
}

const batch = 20;
const options = { timeoutMs: 30_000 };
// Not `IS NOT NULL`: with it Neo4j 5.26 gives `true` as the value of the property.
const due = "coalesce(o.records, '') <> '' AND o.due <= timestamp()";
const takeText = [
  `MATCH (o:${outboxLabel}) WHERE ${due} WITH o LIMIT ${batch} ${takeLock("o")}`,
  `WITH o WHERE ${due} WITH o, properties(o) AS entry DELETE o RETURN entry`,
].join(" ");

/** An entry as releases before 0.2.0 stored it: announcements and audit records in one node. */
type FormerEntry = Readonly<Record<"organization_id" | "announcements" | "records", string>>;

const adopt = (database: Database): Promise<number> =>
  database.write(async (tx) => {
    const rows = await tx.run(takeText, {});
    for (const row of rows) {
      const { organization_id, announcements, records } = row["entry"] as FormerEntry; // as that release wrote it
      await storeRecords(tx, JSON.parse(records) as readonly AuditRecord[], organization_id as Gid);
      await storeAnnouncements(tx, JSON.parse(announcements) as readonly ChangeAnnouncement[]);
    }
    return rows.length;
  }, options);

/**
 * Moves what a killed process of a former release left to where announcements and records wait now, as long as this one
 * runs: both releases run side by side during an update.
 */
export const openFormerEntries = ({ database, log, intervalMs = 2_000 }: FormerEntriesParts): PeriodicTask =>
  createPeriodicTask({
    run: async () => (await adopt(database)) === batch,
    everyMs: intervalMs,
    onFailure: (error) => log.warn("cannot read entries that a former release has not published", { error }),
  });

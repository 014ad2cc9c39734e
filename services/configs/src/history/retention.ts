import { createPeriodicTask, type PeriodicTask } from "@ikg/concurrency";
import type { Database } from "@ikg/graph";
import { changeEntryLabel, changeLabel, entryOf, recordLabel } from "@ikg/physical";
import type { Log } from "../log.ts";

export interface RetentionParts {
  readonly database: Database;
  readonly log: Pick<Log, "warn">;
  readonly now: () => Date;
  readonly days: number;
  /** Milliseconds between two runs. */
  readonly intervalMs?: number;
}

const dayMs = 86_400_000;
const batch = 20;
const options = { timeoutMs: 60_000 };

/** Removes the change records `c` with their texts. */
export const removeFound = `OPTIONAL MATCH (e:${changeEntryLabel})-[:${entryOf}]->(c) DETACH DELETE e, c RETURN count(DISTINCT c) AS removed`;
const oldText = `MATCH (c:${changeLabel}) WHERE c.create_time < $before WITH c ORDER BY c.create_time LIMIT ${batch} ${removeFound}`;
// No caller can read the change records of a deleted project.
const orphansText = [
  `MATCH (c:${changeLabel}) WHERE NOT EXISTS { MATCH (:${recordLabel} {id: c.project_id}) }`,
  `WITH c LIMIT ${batch} ${removeFound}`,
].join(" ");

/** Removes change records with their texts once they are older than `days`, and those of projects that are gone. */
export const openRetention = ({
  database,
  log,
  now,
  days,
  intervalMs = 3_600_000,
}: RetentionParts): PeriodicTask => {
  const sweep = async (text: string, signal: AbortSignal): Promise<void> => {
    const before = new Date(now().getTime() - days * dayMs).toISOString();
    for (let removed = batch; removed >= batch && !signal.aborted;) {
      const [row] = await database.write((tx) => tx.run(text, { before }), options);
      removed = Number(row?.["removed"] ?? 0);
    }
  };

  return createPeriodicTask({
    run: async (signal) => {
      await sweep(oldText, signal);
      await sweep(orphansText, signal);
    },
    everyMs: intervalMs,
    onFailure: (error) => log.warn("old change records cannot be removed; retrying", { error }),
  });
};

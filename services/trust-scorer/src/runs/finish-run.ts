import type { Database } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import type { Scorer } from "../scorer.ts";
import { isFull, removeOrphansText } from "./score-statements.ts";
import { rangeCount, removeRanges } from "./ranges.ts";
import type { Run } from "./run-record.ts";

const timeoutMs = 120_000;

/** True when every range of a run is scored. */
export const isScored = (run: Run): boolean => run.done.size === rangeCount(run);

/** Removes what a statement finds, batch by batch, each in a transaction of its own. */
export const removeAll = async (
  database: Database,
  text: string,
  params: Readonly<Record<string, unknown>>,
): Promise<number> => {
  for (let total = 0; ;) {
    const [row] = await database.write((tx) => tx.run(text, params), { timeoutMs });
    const removed = Number(row?.["removed"]);
    total += removed;
    if (!isFull(removed)) return total;
  }
};

/** True when a run has not ended. */
const isOpen = async (records: Scorer["records"], { profileId, runId }: Run): Promise<boolean> =>
  (await records.find(profileId))?.run?.runId === runId;

/**
 * Ends a run whose ranges are all scored. Several workers may do so at once; one of them ends it. May be repeated from the
 * start as long as it has not ended.
 *
 * The audit record is emitted before the run ends: a failure in between leaves the run open, so that it is ended again with a second
 * record. In the other order it would have none.
 *
 * @throws as `Database.read` and `Database.write`.
 */
export const finishRun = async (
  { records, log, metrics, recordRun, now }: Scorer,
  run: Run,
  database: Database,
): Promise<void> => {
  const orphans = await removeAll(database, removeOrphansText(projectKey(run.pk)), {});
  await removeRanges(database, run);
  if (!(await isOpen(records, run))) return;
  const end = now().toISOString();
  await recordRun(run, end, "success");
  if (!(await records.finish(run, end))) return;
  metrics.run("finished");
  const seconds = Math.max(0.001, (Date.parse(end) - Date.parse(run.startTime)) / 1000);
  log.info("a run of trust scores is finished", {
    profile: run.profileId,
    project: run.projectId,
    run: run.runId,
    nodes: run.total,
    ranges: rangeCount(run),
    orphans,
    seconds,
    rows_per_second: Math.round(run.total / seconds),
  });
};

/**
 * Ends a run that failed: written scores stay, and the next slot starts a new run. The audit record is emitted
 * first, as in `finishRun`.
 *
 * @param reason for the log.
 * @param database the one with its ranges; undefined where it is out of reach.
 * @throws as `Database.read` and `Database.write` of the shared database.
 */
export const giveUpRun = async (
  { records, log, metrics, recordRun, now }: Scorer,
  run: Run,
  reason: string,
  database: Database | undefined,
): Promise<void> => {
  if (database !== undefined) await removeRanges(database, run).catch(() => undefined);
  if (!(await isOpen(records, run))) return;
  await recordRun(run, now().toISOString(), "failed");
  if (!(await records.giveUp(run))) return;
  metrics.run("failed");
  log.error("a run of trust scores has failed; the next scheduled run starts over", {
    profile: run.profileId,
    project: run.projectId,
    run: run.runId,
    reason,
  });
};

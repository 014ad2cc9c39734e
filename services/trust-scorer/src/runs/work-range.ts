import type { CatalogProject } from "@ikg/catalog";
import type { Gid } from "@ikg/contracts";
import { Problem } from "@ikg/contracts";
import type { Scorer } from "../scorer.ts";
import { finishRun, giveUpRun, isScored } from "./finish-run.ts";
import { PermanentFailureError, type RetryPolicy, withRetry } from "./retry.ts";
import { takeRange } from "./ranges.ts";
import type { Run } from "./run-record.ts";
import { scoreRange } from "./score-range.ts";

/** A range of a run. */
export interface RunRange {
  readonly profile: Gid;
  readonly run: string;
  readonly range: number;
}

/** The project of a run in the state in which its graph may be used; waits for it while it is being prepared. */
const usableProject = async ({ projects }: Scorer, run: Run): Promise<CatalogProject | undefined> => {
  const project = await projects.project(run.projectId);
  if (project !== undefined && project.ikgStatus !== "ACTIVE")
    throw new Problem("unavailable", { cause: new Error("the project has no active graph now") });
  return project;
};

const openRun = async ({ records }: Scorer, { profile, run }: RunRange): Promise<Run | undefined> => {
  const open = (await records.find(profile))?.run;
  return open?.runId === run && open.ready ? open : undefined;
};

const score = async (
  scorer: Scorer,
  part: RunRange,
  run: Run,
  retryPolicy: RetryPolicy,
  isTurnOver: () => boolean,
): Promise<void> => {
  const project = await withRetry(retryPolicy, () => usableProject(scorer, run));
  // Deleted: the removal of its graph removes all this too.
  if (project === undefined) return;
  if (project.pk !== run.pk) throw new PermanentFailureError("the project has another database now");
  // A connection that cannot be opened is a database that cannot be used.
  const database = await withRetry(retryPolicy, () => Promise.resolve().then(() => scorer.graph.of(project)));
  if (!run.done.has(part.range)) {
    const held = await withRetry(retryPolicy, () => takeRange(database, run, part.range));
    // Ends an outage of former turns.
    retryPolicy.onAvailable();
    if (held === undefined) {
      const now = await withRetry(retryPolicy, () => openRun(scorer, part));
      // The worker that ends the run removes them first.
      if (now === undefined || isScored(now)) return;
      throw new PermanentFailureError("the ranges of the run are gone");
    }
    const scored = await scoreRange(
      { scorer, run, range: part.range, database, retryPolicy, isTurnOver },
      held,
    );
    if (scored === "turn_over" || scored === undefined) return;
    const noted = await withRetry(retryPolicy, () => scorer.records.progress(run, part.range, scored, true));
    if (noted === undefined || !isScored(noted)) return;
  } else if (!isScored(run)) return;
  await withRetry(retryPolicy, () => finishRun(scorer, run, database));
  retryPolicy.onAvailable();
};

/**
 * Scores a range of a run until it ends or the turn is over, from where a worker left it; the worker that ends the last one ends
 * the run.
 *
 * @param isTurnOver as `RangeWork` has it.
 * @throws Interrupted when the process ends; DatabaseUnusableError when the database cannot be used and the policy does not wait
 *   for it; PermanentFailureError when the run has failed.
 */
export const workRange = async (
  scorer: Scorer,
  part: RunRange,
  retryPolicy: RetryPolicy,
  isTurnOver: () => boolean,
): Promise<void> => {
  const run = await withRetry(retryPolicy, () => openRun(scorer, part));
  if (run === undefined) return;
  try {
    await score(scorer, part, run, retryPolicy, isTurnOver);
  } catch (error) {
    if (!(error instanceof PermanentFailureError)) throw error;
    const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
    await withRetry(retryPolicy, async () => {
      const project = await scorer.projects.project(run.projectId);
      const database = project?.pk === run.pk ? scorer.graph.of(project) : undefined;
      await giveUpRun(scorer, run, reason, database);
    });
    throw new PermanentFailureError(reason, { cause: error.cause });
  }
};

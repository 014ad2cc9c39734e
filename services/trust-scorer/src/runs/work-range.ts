import type { CatalogProject } from "@ikg/catalog";
import type { Gid } from "@ikg/contracts";
import { Problem } from "@ikg/contracts";
import type { Scorer } from "../scorer.ts";
import { finishRun, giveUpRun, isScored } from "./finish-run.ts";
import { GivenUp, withRetry, type RetryPolicy } from "./retry.ts";
import { takeRange } from "./ranges.ts";
import type { Run } from "./run-record.ts";
import { scoreRange } from "./score-range.ts";

/** A range of a run, as a job names it. */
export interface RangeJob {
  readonly profile: Gid;
  readonly run: string;
  readonly range: number;
  /** The trace of the slot in which the run began, or was taken up. */
  readonly traceparent?: string;
}

/** Logs an unavailable database once when the wait begins, and once when it ends. */
const retryPolicyOf = (
  { log, metrics }: Pick<Scorer, "log" | "metrics">,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): RetryPolicy => ({
  signal,
  onUnavailable: (error) =>
    log.warn("a run of trust scores pauses: its database cannot be used", { ...fields, error }),
  onAvailable: () => log.info("a run of trust scores goes on", fields),
  onRepeat: (error) => {
    metrics.repeated();
    log.warn("a step of a run of trust scores failed; it is tried again", { ...fields, error });
  },
});

/** The project of a run in the state in which its graph may be used; waits for it while it is being prepared. */
const activeProject = async ({ projects }: Scorer, run: Run): Promise<CatalogProject | undefined> => {
  const project = await projects.project(run.projectId);
  if (project !== undefined && project.ikgStatus !== "ACTIVE")
    throw new Problem("unavailable", { cause: new Error("the project has no active graph now") });
  return project;
};

const openRun = async ({ records }: Scorer, { profile, run }: RangeJob): Promise<Run | undefined> => {
  const open = (await records.find(profile))?.run;
  return open?.runId === run && open.ready ? open : undefined;
};

/** How the work on a range ended: `done` when nothing is left to do for this worker, or its turn is over. */
export type RangeOutcome = "done" | "turn_over";

const score = async (
  scorer: Scorer,
  job: RangeJob,
  run: Run,
  retryPolicy: RetryPolicy,
  isTurnOver: () => boolean,
): Promise<RangeOutcome> => {
  const project = await withRetry(retryPolicy, () => activeProject(scorer, run));
  // Deleted: the removal of its graph removes all this too.
  if (project === undefined) return "done";
  if (project.pk !== run.pk) throw new GivenUp("the project has another database now");
  const database = scorer.graph.of(project);
  if (!run.done.has(job.range)) {
    const held = await withRetry(retryPolicy, () => takeRange(database, run, job.range));
    if (held === undefined) {
      const now = await withRetry(retryPolicy, () => openRun(scorer, job));
      // The worker that ends the run removes them first.
      if (now === undefined || isScored(now)) return "done";
      throw new GivenUp("the ranges of the run are gone");
    }
    const scored = await scoreRange(
      { scorer, run, range: job.range, database, retryPolicy, isTurnOver },
      held,
    );
    if (scored === "turn_over") return scored;
    if (scored === undefined) return "done";
    const noted = await withRetry(retryPolicy, () => scorer.records.progress(run, job.range, scored, true));
    if (noted === undefined || !isScored(noted)) return "done";
  } else if (!isScored(run)) return "done";
  await withRetry(retryPolicy, () => finishRun(scorer, run, database));
  return "done";
};

/**
 * Scores a range of a run, or continues from where a worker left it; the worker that ends the last one ends the run.
 *
 * @param isTurnOver as `RangeWork` has it.
 * @throws Interrupted when the signal is aborted; GivenUp when the run has failed.
 */
export const workRange = async (
  scorer: Scorer,
  job: RangeJob,
  signal: AbortSignal,
  isTurnOver: () => boolean,
): Promise<RangeOutcome> => {
  const retryPolicy = retryPolicyOf(scorer, { ...job }, signal);
  const run = await withRetry(retryPolicy, () => openRun(scorer, job));
  if (run === undefined) return "done";
  try {
    return await score(scorer, job, run, retryPolicy, isTurnOver);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
    await withRetry(retryPolicy, async () => {
      const project = await scorer.projects.project(run.projectId);
      const database = project?.pk === run.pk ? scorer.graph.of(project) : undefined;
      await giveUpRun(scorer, run, reason, database);
    });
    throw new GivenUp(reason, { cause: error.cause });
  }
};

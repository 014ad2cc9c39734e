import { randomUUID } from "node:crypto";
import type { Gid } from "@ikg/contracts";
import type { Scorer } from "../scorer.ts";
import { giveUpRun } from "./finish-run.ts";
import { populationOf } from "./population.ts";
import { prepareRanges, rangeCount } from "./ranges.ts";
import { newRun, type Run } from "./run-record.ts";

/** The outcome of a slot. */
export type SlotOutcome =
  /** `open`: the former run is not over. It continues, and the slot makes none. */
  | { readonly kind: "begun" | "open"; readonly run: Run }
  | { readonly kind: "skipped" }
  | { readonly kind: "profile_missing" };

/** Creates the ranges of a run. May be repeated. @returns false when the run is over */
const prepare = async ({ graph, projects, records }: Scorer, run: Run): Promise<boolean> => {
  const project = await projects.project(run.projectId);
  if (project?.pk !== run.pk) return false;
  await prepareRanges(graph.of(project), run);
  return records.ready(run);
};

/**
 * Begins the run of a slot, or continues preparing one. A slot that arrives while a run is open is skipped, and so is one
 * that was due before the last run began: after downtime, missed slots are made up by one run.
 *
 * @param due when the slot was; RFC 3339 in UTC.
 * @throws as `Database.read` and `Database.write`.
 */
export const beginRun = async (
  scorer: Scorer,
  profileId: Gid,
  due: string,
  signal: AbortSignal,
): Promise<SlotOutcome> => {
  const { graph, profiles, projects, records, settings, log, metrics, now } = scorer;
  const noteSkip = (reason: string): void => {
    metrics.run("skipped");
    log.info("a slot of trust scores is skipped", { profile: profileId, due, reason });
  };
  const skip = (reason: string): SlotOutcome => {
    noteSkip(reason);
    return { kind: "skipped" };
  };
  const profile = await profiles.find(profileId);
  if (profile === undefined) return { kind: "profile_missing" };
  const project = await projects.project(profile.projectId);
  if (project?.ikgStatus !== "ACTIVE") return skip("the project has no active graph");
  const state = await records.find(profileId);
  const open = state?.run;
  if (open !== undefined) {
    if (open.pk !== project.pk) {
      await giveUpRun(scorer, open, "the project has another database now", undefined);
      return skip("the former run was of another database");
    }
    if (open.ready) noteSkip("the former run is still open");
    else if (!(await prepare(scorer, open))) return skip("the former run was ended");
    return { kind: "open", run: open };
  }
  if (state?.begunTime !== undefined && state.begunTime >= due) return skip("a run began since");

  const startTime = now().toISOString();
  const { pk } = project;
  const { type, dimensions } = profile;
  const population = await populationOf(graph.of(project), { pk, type, dimensions }, settings, signal);
  const run = newRun(profile, { pk, runId: randomUUID(), startTime, ...population });
  if ((await records.begin(run, due)) === undefined) return skip("another run began");
  if (!(await prepare(scorer, run))) return skip("the run was ended");
  log.info("a run of trust scores begins", {
    profile: profileId,
    project: profile.projectId,
    run: run.runId,
    nodes: run.total,
    ranges: rangeCount(run),
  });
  return { kind: "begun", run };
};

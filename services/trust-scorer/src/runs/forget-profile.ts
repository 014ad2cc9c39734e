import { projectKey } from "@ikg/physical";
import type { Scorer } from "../scorer.ts";
import { removeScoresText } from "./score-statements.ts";
import { removeAll } from "./finish-run.ts";
import { removeRanges } from "./ranges.ts";
import type { RunState } from "./run-record.ts";

/** Longer than a worker takes to notice that the run it writes for is over. */
const graceMs = 60_000;

/**
 * Removes what runs of a deleted profile left: first what a page needs to be written, so that workers stop writing, then
 * the scores. Its record is removed at a later pass, in case a worker was preparing a run.
 *
 * @throws as `Database.write`.
 */
export const forgetProfile = async (
  { graph, projects, records, log, now }: Scorer,
  state: RunState,
): Promise<void> => {
  const { profileId, projectId, pk, goneTime } = state;
  const time = now();
  if (goneTime === undefined) await records.gone(profileId, time.toISOString());
  const project = await projects.project(projectId);
  // With the project goes its graph, and all this with it.
  if (project !== undefined && project.pk === pk) {
    const database = graph.of(project);
    await removeRanges(database, state);
    const removed = await removeAll(database, removeScoresText(projectKey(pk)), { profile: profileId });
    if (removed > 0)
      log.info("scores of a deleted trust score profile are removed", {
        profile: profileId,
        project: projectId,
        removed,
      });
  }
  if (goneTime !== undefined && time.getTime() - Date.parse(goneTime) > graceMs)
    await records.remove(profileId);
};

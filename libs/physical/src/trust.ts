import { projectPrefix } from "./key-ranges.ts";

/**
 * Where the scorer keeps how its runs stand. The state of a profile lies in the shared database; the
 * key ranges of a run in the database of their project, so that a page of scores and the note that it is written are one
 * transaction. None of these nodes carries a label of graph data, so no pattern of a policy can find one.
 */
export const trustRunLabel = "_TrustRun";

/** A key range of a run: property `cursor` is the last key that is scored. */
export const trustRangeLabel = "_TrustRange";

/** What the keys of all ranges of a profile begin with. Gids hold no slash. */
export const trustRangesPrefix = (projectId: string, profileId: string): string =>
  `${projectPrefix(projectId)}${profileId}/`;

/** The key of a range. */
export const trustRangeKey = (projectId: string, profileId: string, runId: string, range: number): string =>
  `${trustRangesPrefix(projectId, profileId)}${runId}/${range}`;

/** What configs shows of a profile's runs: properties of the state of a profile. */
export const trustRunFields = {
  /** The profile; unique. */
  profileId: "profile_id",
  /** The last run that ended, and which dimensions it had. */
  lastRunId: "last_run_id",
  lastRunStartTime: "last_run_start_time",
  lastRunEndTime: "last_run_end_time",
  lastDimensions: "last_dimensions",
  /** The current run; absent between runs. */
  runId: "run_id",
  startTime: "start_time",
  total: "total",
  /** Followed by the number of a range: how many nodes of it are scored, and whether that are all. */
  scored: "scored_",
  done: "done_",
} as const;

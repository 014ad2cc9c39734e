import { type Gid, stringOrUndefined } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { takeLock, trustRunFields as fields, trustRunLabel } from "@ikg/physical";
import type { Profile } from "../profiles/profile.ts";
import type { Dimension } from "../score/score-node.ts";

/** What is fixed when a run begins, so that another worker continues it alike. */
export interface Run {
  readonly profileId: Gid;
  readonly projectId: Gid;
  /** Key of the project when the run began: the graph that is scored. */
  readonly pk: string;
  readonly type: string;
  readonly runId: string;
  /** `T`; RFC 3339 in UTC. */
  readonly startTime: string;
  readonly dimensions: readonly Dimension[];
  readonly expected: readonly string[];
  readonly total: number;
  /** Last keys of the ranges but the last one. */
  readonly bounds: readonly string[];
  /** False until the ranges are there to be worked on. */
  readonly ready: boolean;
  /** Numbers of the ranges that are scored. */
  readonly done: ReadonlySet<number>;
}

/** The record of the runs of a profile. */
export interface RunState {
  readonly profileId: Gid;
  readonly projectId: Gid;
  readonly pk: string;
  readonly type: string;
  /** The open run. */
  readonly run: Run | undefined;
  /** When the last run began, whether it has ended or not; RFC 3339 in UTC. */
  readonly begunTime: string | undefined;
  /** When its profile was first found to be deleted; RFC 3339 in UTC. */
  readonly goneTime: string | undefined;
}

const stateOf = (row: Row): RunState => {
  const stored = row["state"] as Row; // the one column of every statement here
  const common = {
    profileId: String(stored[fields.profileId]) as Gid, // written below
    projectId: String(stored["project_id"]) as Gid,
    pk: String(stored["pk"]),
    type: String(stored["type"]),
  };
  const runId = stringOrUndefined(stored[fields.runId]);
  const done = Object.keys(stored)
    .filter((name) => name.startsWith(fields.done))
    .map((name) => Number(name.slice(fields.done.length)));
  return {
    ...common,
    begunTime: stringOrUndefined(stored["begun_time"]),
    goneTime: stringOrUndefined(stored["gone_time"]),
    run:
      runId === undefined
        ? undefined
        : {
            ...common,
            runId,
            startTime: String(stored[fields.startTime]),
            dimensions: JSON.parse(String(stored["dimensions"])) as Dimension[], // written below
            expected: stored["expected"] as string[], // written below
            total: Number(stored[fields.total]),
            bounds: stored["bounds"] as string[], // written below
            ready: stored["ready"] === true,
            done: new Set(done),
          },
  };
};

const one = `MATCH (r:${trustRunLabel} {${fields.profileId}: $profile})`;
const locked = `${one} ${takeLock("r")} WITH r`;
const returnState = "RETURN properties(r) AS state";
/** Removes the fields of the current run. */
const clear = `FOREACH (name IN [n IN keys(r) WHERE n IN $own OR n STARTS WITH '${fields.scored}' OR n STARTS WITH '${fields.done}'] | REMOVE r[name])`;
const own = [fields.runId, fields.startTime, fields.total, "dimensions", "expected", "bounds", "ready"];

const beginText = `MERGE (r:${trustRunLabel} {${fields.profileId}: $profile})
${takeLock("r")}
WITH r WHERE r.${fields.runId} IS NULL AND r.gone_time IS NULL
  AND (r.begun_time IS NULL OR r.begun_time < $due)
SET r += $begun ${returnState}`;
const readyText = `${locked} WHERE r.${fields.runId} = $run SET r.ready = true ${returnState}`;
const progressText = `${locked} WHERE r.${fields.runId} = $run SET r += $progress ${returnState}`;
const endText = `${locked} WHERE r.${fields.runId} = $run SET r += $changes ${clear} ${returnState}`;
const goneText = `${locked} SET r.gone_time = coalesce(r.gone_time, $now) ${clear} ${returnState}`;
const removeText = `${one} DELETE r`;
const findText = `${one} ${returnState}`;
const openText = `MATCH (r:${trustRunLabel} {project_id: $project}) WHERE r.${fields.runId} IS NOT NULL ${returnState}`;
const allText = `MATCH (r:${trustRunLabel}) ${returnState}`;
const options = { timeoutMs: 30_000 };

/** Records of runs: one for each profile that was ever scored. */
export interface RunRecords {
  /**
   * Begins a run unless one is open, or one began after this slot was due.
   *
   * @returns undefined when it is not to begin.
   */
  begin(run: Run, due: string): Promise<RunState | undefined>;
  /** Notes that the ranges exist. False when the run is over. */
  ready(run: Run): Promise<boolean>;
  /** Stores how many nodes of a range are scored. Undefined when the run is over. */
  progress(run: Run, range: number, scored: number, done: boolean): Promise<Run | undefined>;
  /** Ends a run that is complete. False when it was over already. */
  finish(run: Run, now: string): Promise<boolean>;
  /** Ends a run that failed. False when it was over already. */
  giveUp(run: Run): Promise<boolean>;
  /** Notes that a profile was deleted and ends its run. */
  gone(profileId: Gid, now: string): Promise<void>;
  remove(profileId: Gid): Promise<void>;
  find(profileId: string): Promise<RunState | undefined>;
  /** The open runs of a project. */
  open(projectId: string): Promise<readonly Run[]>;
  all(): Promise<readonly RunState[]>;
}

/** A run of a profile at its beginning. */
export const newRun = (
  profile: Profile,
  more: Pick<Run, "pk" | "runId" | "startTime" | "expected" | "total" | "bounds">,
): Run => ({
  profileId: profile.id,
  projectId: profile.projectId,
  type: profile.type,
  dimensions: profile.dimensions,
  ready: false,
  done: new Set(),
  ...more,
});

const begunFields = (run: Run): Row => ({
  project_id: run.projectId,
  pk: run.pk,
  type: run.type,
  begun_time: run.startTime,
  [fields.runId]: run.runId,
  [fields.startTime]: run.startTime,
  [fields.total]: run.total,
  dimensions: JSON.stringify(run.dimensions),
  expected: run.expected,
  bounds: run.bounds,
  ready: false,
});

/** @param database the shared one: configs reads it, and a worker looks for work in one database. */
export const runRecords = (database: Database): RunRecords => {
  const write = async (statement: string, params: Row): Promise<RunState | undefined> => {
    const [row] = await database.write((tx) => tx.run(statement, params), options);
    return row && stateOf(row);
  };
  const read = async (statement: string, params: Row): Promise<readonly RunState[]> =>
    (await database.read(statement, params, options)).map(stateOf);
  const end = async ({ profileId, runId }: Run, changes: Row): Promise<boolean> =>
    (await write(endText, { profile: profileId, run: runId, changes, own })) !== undefined;
  return {
    begin: (run, due) => write(beginText, { profile: run.profileId, due, begun: begunFields(run) }),
    ready: async ({ profileId, runId }) =>
      (await write(readyText, { profile: profileId, run: runId })) !== undefined,
    progress: async ({ profileId, runId }, range, scored, done) => {
      const progress = {
        [`${fields.scored}${range}`]: scored,
        ...(done ? { [`${fields.done}${range}`]: true } : {}),
      };
      return (await write(progressText, { profile: profileId, run: runId, progress }))?.run;
    },
    finish: (run, now) =>
      end(run, {
        [fields.lastRunId]: run.runId,
        [fields.lastRunStartTime]: run.startTime,
        [fields.lastRunEndTime]: now,
        [fields.lastDimensions]: run.dimensions.map(({ name }) => name),
      }),
    giveUp: (run) => end(run, {}),
    gone: async (profile, now) => void (await write(goneText, { profile, now, own })),
    remove: async (profile) => {
      await database.write((tx) => tx.run(removeText, { profile }), options);
    },
    find: async (profile) => (await read(findText, { profile }))[0],
    open: async (project) => (await read(openText, { project })).flatMap(({ run }) => run ?? []),
    all: () => read(allText, {}),
  };
};

import { type Gid, trustScoreProfileCollection } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { trustRunFields as fields, trustRunLabel } from "@ikg/physical";
import type { Data } from "../records/record.ts";
import type { Collection } from "../records/collection.ts";

const statesText = `UNWIND $ids AS id MATCH (r:${trustRunLabel} {${fields.profileId}: id}) RETURN properties(r) AS state`;

/** The open run; nothing between runs. */
const currentRun = (state: Row): Data => {
  if (typeof state[fields.runId] !== "string") return {};
  const scored = Object.entries(state).map(([name, value]) =>
    name.startsWith(fields.scored) ? Number(value) : 0,
  );
  return {
    current_run: {
      run_id: state[fields.runId],
      start_time: state[fields.startTime],
      scored: scored.reduce((sum, each) => sum + each, 0),
      total: state[fields.total],
    },
  };
};

/** The last run that ended. Every page has all dimensions, so they took as long as the run did. */
const lastRun = (state: Row): Data => {
  if (state[fields.lastRunId] === undefined) return {};
  const times = {
    execution_start_time: state[fields.lastRunStartTime],
    execution_end_time: state[fields.lastRunEndTime],
  };
  const dimensions = state[fields.lastDimensions] as readonly string[]; // written by the scorer together with the rest
  return {
    last_run_id: state[fields.lastRunId],
    last_run_start_time: times.execution_start_time,
    last_run_end_time: times.execution_end_time,
    dimensions_execution_times: Object.fromEntries(dimensions.map((name) => [name, times])),
  };
};

const runsOf = (state: Row): [Gid, Data] => [
  String(state[fields.profileId]) as Gid, // a record's id
  { ...lastRun(state), ...currentRun(state) },
];

export const trustScoreProfiles: Collection<typeof trustScoreProfileCollection.fields> = {
  ...trustScoreProfileCollection,
  uniqueKey: (body, projectId) => ({
    key: `trust_score_profile/${projectId}/${body.node_classification}`,
    fault: "node_classification: the project has a profile for this type",
  }),
  adjustUpdate: (body, current, suppliedFields) =>
    suppliedFields.has("dimensions") && body.dimensions.length === 0
      ? { ...body, dimensions: current.dimensions }
      : body,
  // Until the scorer's own record tells more.
  present: () => ({ last_run_id: "", last_run_start_time: "", last_run_end_time: "" }),
  joinRuntimeFields: async (records, read) => {
    const rows = await read(statesText, { ids: records.map(({ id }) => id) });
    return new Map(rows.map((row) => runsOf(row["state"] as Row))); // the one column
  },
};

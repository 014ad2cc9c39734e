import { trustScoreProfileCollection } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

/** api specification 9.8. */
export const trustScoreProfiles: Collection<typeof trustScoreProfileCollection.fields> = {
  ...trustScoreProfileCollection,
  once: (body, projectId) => ({
    key: `trust_score_profile/${projectId}/${body.node_classification}`,
    fault: "node_classification: the project has a profile for this type",
  }),
  revise: (body, current, given) =>
    given.has("dimensions") && body.dimensions.length === 0
      ? { ...body, dimensions: current.dimensions }
      : body,
  // Nothing has run yet: the scorer's own record tells, once there is one (README decision 28).
  present: () => ({ last_run_id: "", last_run_start_time: "", last_run_end_time: "" }),
};

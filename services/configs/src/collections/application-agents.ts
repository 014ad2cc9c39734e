import { applicationAgentCollection } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";

export const applicationAgents: Collection<typeof applicationAgentCollection.fields> = {
  ...applicationAgentCollection,
  systemNode: { type: systemTypes.agent, belongsTo: systemTypes.application },
};

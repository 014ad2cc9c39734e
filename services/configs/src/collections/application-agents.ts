import { applicationAgentCollection } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";

export const applicationAgents: Collection<typeof applicationAgentCollection.fields> = {
  ...applicationAgentCollection,
  permissionsToGrant: ({ api_permissions: permissions }, _parent, current) =>
    permissions.filter((permission) => current?.api_permissions.includes(permission) !== true),
  systemNode: { type: systemTypes.agent, belongsTo: systemTypes.application },
};

import { applicationAgentCredentialCollection, permissions } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";
import { credential, newToken } from "./credential.ts";

export const applicationAgentCredentials = (settings: {
  readonly pepper: Uint8Array;
  readonly baseUrl: string;
}): Collection<typeof applicationAgentCredentialCollection.fields> => ({
  ...applicationAgentCredentialCollection,
  ...credential,
  permissionsToGrant: (_body, agent) => {
    const granted = agent?.data["api_permissions"];
    return permissions.filter((permission) => Array.isArray(granted) && granted.includes(permission));
  },
  extrasOnCreate: (_body, { parent }) => {
    const { token, columns } = newToken("ak1", settings.pepper);
    return {
      data: { application_id: parent.parentId },
      columns: { ...columns, [lookUpProperties.agentId]: parent.id },
      once: {
        application_agent_config: {
          baseUrl: settings.baseUrl,
          appSpaceId: parent.projectId,
          applicationId: parent.parentId,
          appAgentId: parent.id,
          token,
        },
      },
    };
  },
  present: (record) => ({ ...credential.present(record), application_id: record.data["application_id"] }),
});

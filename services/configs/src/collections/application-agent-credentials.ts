import { hashCredential, newCredential } from "@ikg/auth";
import { CreateApplicationAgentCredential, maxLiveCredentials } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Collection } from "./collection.ts";

/** api specification 9.5, runtime specification 6.4. The key leaves once; only its hash is stored. */
export const applicationAgentCredentials = (settings: {
  readonly pepper: Uint8Array;
  readonly baseUrl: string;
}): Collection<CreateApplicationAgentCredential> => ({
  kind: "application_agent_credential",
  path: "/application-agent-credentials",
  singular: "application_agent_credential",
  plural: "application_agent_credentials",
  request: CreateApplicationAgentCredential,
  parent: {
    kind: "application_agent",
    field: "application_agent_id",
    of: (body) => body.application_agent_id,
  },
  scope: "project",
  named: false,
  maxLive: maxLiveCredentials,
  judge: (body, _references, now) =>
    body.expire_time !== undefined && body.expire_time <= now.toISOString()
      ? ["expire_time: must be in the future"]
      : [],
  content: (body, { parent }) => {
    const { token, kid } = newCredential("ak1");
    return {
      data: { application_id: parent.parentId },
      columns: {
        [lookUpProperties.kid]: kid,
        [lookUpProperties.tokenHash]: hashCredential(token, settings.pepper),
        [lookUpProperties.expireTime]: body.expire_time,
        [lookUpProperties.agentId]: parent.id,
      },
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
  present: (record) => ({
    kid: record.columns[lookUpProperties.kid],
    display_name: record.displayName ?? record.columns[lookUpProperties.kid],
    expire_time: record.columns[lookUpProperties.expireTime],
    application_agent_id: record.parentId,
    ...record.data,
  }),
});

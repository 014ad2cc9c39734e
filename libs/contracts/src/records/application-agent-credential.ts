import { z } from "zod";
import { credentialFields, credentialRecord } from "./credential.ts";
import { createBody, type RecordDescription } from "./description.ts";
import { parent, projectParents } from "./fields.ts";

const fields = {
  application_agent_id: parent("application_agent"),
  ...credentialFields,
} as const;

/** The credential JSON of an agent; leaves once, with the answer that made it. */
export const ApplicationAgentConfig = z.object({
  baseUrl: z.string(),
  appSpaceId: z.string(),
  applicationId: z.string(),
  appAgentId: z.string(),
  token: z.string(),
});

export const ApplicationAgentCredentialRecord = z.object({
  ...credentialRecord,
  application_agent_id: z.string(),
  application_id: z.string(),
  ...projectParents,
  application_agent_config: ApplicationAgentConfig.optional(),
});

export const applicationAgentCredentialCollection = {
  kind: "application_agent_credential",
  path: "/application-agent-credentials",
  singular: "application_agent_credential",
  plural: "application_agent_credentials",
  parent: { kind: "application_agent", field: "application_agent_id" },
  scope: "project",
  hasName: false,
  fields,
  record: ApplicationAgentCredentialRecord,
  create: createBody(fields),
} satisfies RecordDescription<typeof fields>;

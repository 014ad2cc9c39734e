import { z } from "zod";
import { instant } from "../instant.ts";
import { createBody, type RecordDescription } from "./description.ts";
import { named, parent, projectParents } from "./fields.ts";

/** A time after which a credential opens nothing. */
export const expireTime = {
  schema: instant,
  create: "optional",
  update: "ignored",
  kept: { column: "expire_time" },
  rule: "RFC 3339 with offset, in the future; absent: no end",
} as const;

const fields = {
  application_agent_id: parent("application_agent"),
  display_name: { ...named.display_name, rule: "2-254 characters; shown as the kid when unset" },
  expire_time: expireTime,
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
  id: z.string(),
  kid: z.string(),
  display_name: z.string(),
  create_time: z.string(),
  created_by: z.string(),
  expire_time: z.string().optional(),
  application_agent_id: z.string(),
  application_id: z.string(),
  ...projectParents,
  application_agent_config: ApplicationAgentConfig.optional(),
});

/** api specification 9.5. */
export const applicationAgentCredentialCollection = {
  kind: "application_agent_credential",
  path: "/application-agent-credentials",
  singular: "application_agent_credential",
  plural: "application_agent_credentials",
  section: "9.5",
  parent: { kind: "application_agent", field: "application_agent_id" },
  scope: "project",
  named: false,
  fields,
  record: ApplicationAgentCredentialRecord,
  create: createBody(fields),
} satisfies RecordDescription<typeof fields>;

/** At most this many credentials of one agent or service account may be unexpired at a time. */
export const maxLiveCredentials = 10;

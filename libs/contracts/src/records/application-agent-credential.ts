import { z } from "zod";
import { instant } from "../instant.ts";
import { displayName, gidOf, optional, projectParents } from "./fields.ts";

/** api specification 9.5. That `expire_time` lies in the future is judged when the credential is made. */
export const CreateApplicationAgentCredential = z.object({
  application_agent_id: gidOf("application_agent"),
  display_name: displayName,
  expire_time: optional(instant),
});

export type CreateApplicationAgentCredential = z.output<typeof CreateApplicationAgentCredential>;

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

/** At most this many credentials of one agent may be unexpired at a time. */
export const maxLiveCredentials = 10;

import { type ConfigRecord, createRecord } from "./configs.ts";

interface NewCredential extends ConfigRecord {
  readonly kid: string;
  readonly application_agent_config: { readonly token: string };
}

/** Makes a key of an agent; `expiresAt` in RFC 3339, absent: it does not expire. */
export const createCredential = async (
  agentId: string,
  expiresAt?: string,
): Promise<{ readonly id: string; readonly key: string }> => {
  const { id, application_agent_config } = await createRecord<NewCredential>(
    "application-agent-credentials",
    {
      application_agent_id: agentId,
      ...(expiresAt === undefined ? {} : { expire_time: expiresAt }),
    },
  );
  return { id, key: application_agent_config.token };
};

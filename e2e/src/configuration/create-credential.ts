import type { Account } from "../requests/account.ts";
import { openAdmin } from "../requests/clients.ts";

/** Makes a key of an agent; `expiresAt` in RFC 3339, absent: it does not expire. */
export const createCredential = async (
  agentId: string,
  expiresAt?: string,
  account?: Account,
): Promise<{ readonly id: string; readonly key: string }> => {
  const { id, application_agent_config: config } = await openAdmin(
    undefined,
    account,
  ).agentCredentials.create({
    application_agent_id: agentId,
    expire_time: expiresAt,
  });
  if (config === undefined) throw new Error("a new credential does not show its key");
  return { id, key: config.token };
};

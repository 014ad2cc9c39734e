import type { Permission } from "@ikg/contracts";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";
import { createCredential } from "./create-credential.ts";

/** Who calls the data plane. */
export interface Agent {
  readonly agentId: string;
  readonly credentialId: string;
  /** Value of X-SVC-ClientKey. */
  readonly key: string;
}

/** Makes an agent of an application, and a key for it. */
export const createAgent = async (
  applicationId: string,
  permissions: readonly Permission[],
): Promise<Agent> => {
  const { id: agentId } = await openAdmin().agents.create({
    name: freshName("agent"),
    application_id: applicationId,
    api_permissions: permissions,
  });
  const { id, key } = await createCredential(agentId);
  return { agentId, credentialId: id, key };
};

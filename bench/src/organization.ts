/** An organization of a measurement's own, removed afterwards. */
import { createScratchOrganization } from "../../stack/src/stores/scratch-organization.ts";
import type { Target } from "./settings.ts";

export interface Organization {
  /** The same suite, by the credential of this organization. */
  readonly target: Target;
  readonly remove: () => Promise<void>;
}

export const makeOrganization = async (target: Target): Promise<Organization> => {
  const { neo4j, redisUrl, credentialPepper: pepper, gateway: publicUrl } = target;
  const backend = { neo4j, redisUrl };
  const { organizationId, token, remove } = await createScratchOrganization({ backend, pepper, publicUrl });
  return { target: { ...target, organizationId, serviceAccountToken: token }, remove };
};

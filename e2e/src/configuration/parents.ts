import { exportJWK, generateKeyPair } from "jose";
import type { Account } from "../requests/account.ts";
import { openAdmin } from "../requests/clients.ts";
import { createCredential } from "./create-credential.ts";

/** The records that every other collection refers to. */
export interface Parents {
  readonly projectId: string;
  readonly applicationId: string;
  readonly agentId: string;
  /** a key with every permission of the agent */
  readonly key: string;
  readonly introspectId: string;
  readonly policyId: string;
  readonly accountId: string;
}

const ciq = JSON.stringify({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
  allowed_reads: { nodes: ["car.property.price", "car.external_id"] },
});

/** Fields of a token introspect that accepts tokens of this key. */
export const introspect = (key: string, audience: string) => ({
  jwt_matcher: { issuer: "https://issuer.example", audience },
  offline_validation: { public_jwks: [key] },
  claims_mapping: { email: { selector: "mail" } },
  ikg_node_type: "Person",
});

/** A public key as the text of its JWK. */
export const publicKey = async (): Promise<string> =>
  JSON.stringify({ ...(await exportJWK((await generateKeyPair("ES256")).publicKey)), kid: "one" });

/** Makes a project named `name` with one of each record that others need, all of that name too. */
export const createParents = async (account: Account, name: string): Promise<Parents> => {
  const admin = openAdmin(undefined, account);
  const { id: project_id } = await admin.projects.create({ organization_id: account.organizationId, name });
  const { id: applicationId } = await admin.applications.create({ project_id, name });
  const { id: agentId } = await admin.agents.create({
    application_id: applicationId,
    name,
    api_permissions: ["Capture", "Authorization", "ContXIQ"],
  });
  const { key } = await createCredential(agentId, undefined, account);
  const { id: introspectId } = await admin.introspects.create({
    project_id,
    name,
    ...introspect(await publicKey(), "of-the-parents"),
  });
  const { id: policyId } = await admin.policies.create({ project_id, name, policy: ciq, status: "ACTIVE" });
  const { id: accountId } = await admin.serviceAccounts.create({
    organization_id: account.organizationId,
    name,
    role: "all_viewer",
  });
  return { projectId: project_id, applicationId, agentId, key, introspectId, policyId, accountId };
};

/** Removes parent records with everything below them. */
export const removeParents = async (account: Account, { projectId, accountId }: Parents): Promise<void> => {
  const admin = openAdmin(undefined, account);
  await admin.projects.delete(projectId);
  await admin.serviceAccounts.delete(accountId);
};

import { exportJWK, generateKeyPair } from "jose";
import { type Account, asAccount } from "./account.ts";
import { openAdmin } from "./clients.ts";
import type { ConfigRecord } from "./configs.ts";
import { createCredential } from "./create-credential.ts";
import { must } from "./must.ts";

export type Body = Readonly<Record<string, unknown>>;

/** One collection of configuration records as a test walks over it. */
export interface Sample {
  readonly path: string;
  /** The query parameter that names the parent, for names and lists. */
  readonly scope: "project_id" | "organization_id";
  readonly scopeId: string;
  /** False for credentials: neither names nor versions nor updates. */
  readonly named: boolean;
  /** Fields of `body` that name another record, with the collection of that one. */
  readonly references: Readonly<Record<string, string>>;
  /** Makes a record; beside another one only where a project may have several. */
  body(this: void, name: string): Body;
  /** An update that changes something wherever anything may be changed; docs/samples.test.ts asks for every field. */
  change(this: void): Body;
}

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
const query = JSON.stringify({ nodes: ["car.property.price"] });
/** A policy about cars and their owners, as its text. */
export const kbac = (action: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  });

const introspect = (key: string, audience: string) => ({
  jwt_matcher: { issuer: "https://issuer.example", audience },
  offline_validation: { public_jwks: [key] },
  claims_mapping: { email: { selector: "mail" } },
  ikg_node_type: "Person",
});

const publicKey = async (): Promise<string> =>
  JSON.stringify({ ...(await exportJWK((await generateKeyPair("ES256")).publicKey)), kid: "one" });

/** Creates a record of an account's organization. */
export const make = async (account: Account, path: string, json: Body): Promise<ConfigRecord> =>
  must<ConfigRecord>(await asAccount(account, path, { json }), 201);

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

type MakeSample = (
  path: string,
  body: (name: string) => Body,
  change?: Body,
  more?: Partial<Sample>,
) => Sample;
type InProject = (fields: Body) => (name: string) => Body;

/** A sample of every collection, below these parents. */
export const samplesOf = async (account: Account, parents: Parents): Promise<readonly Sample[]> => {
  const { projectId } = parents;
  const sample: MakeSample = (path, body, change = {}, more = {}) => ({
    path,
    scope: "project_id",
    scopeId: projectId,
    named: true,
    references: { project_id: "/projects" },
    body,
    change: () => change,
    ...more,
  });
  const inProject: InProject = (fields) => (name) => ({ project_id: projectId, name, ...fields });
  return [
    ...agentAndAccountSamples(sample, inProject, account, parents),
    ...policySamples(sample, inProject),
    ...referringSamples(sample, inProject, parents, await publicKey()),
    sample("/audit-signings", inProject({ provider: "PLATFORM_MANAGED" }), {
      provider: "CUSTOMER_AWS_KMS",
      key_resource: "arn:aws:kms:one",
      kid: "one",
    }),
  ];
};

/** Projects, applications, agents, service accounts and their credentials. */
const agentAndAccountSamples = (
  sample: MakeSample,
  inProject: InProject,
  { organizationId }: Account,
  { projectId, applicationId, agentId, accountId }: Parents,
): readonly Sample[] => {
  const inOrganization = { scope: "organization_id", scopeId: organizationId } as const;
  return [
    sample("/projects", (name) => ({ organization_id: organizationId, name }), undefined, {
      ...inOrganization,
      references: { organization_id: "/organizations" },
    }),
    sample("/applications", inProject({})),
    sample(
      "/application-agents",
      (name) => ({ application_id: applicationId, name, api_permissions: ["Capture"] }),
      { api_permissions: ["ContXIQ"] },
      { references: { application_id: "/applications" } },
    ),
    sample(
      "/application-agent-credentials",
      (name) => ({ application_agent_id: agentId, display_name: name }),
      undefined,
      { named: false, references: { application_agent_id: "/application-agents" } },
    ),
    sample(
      "/service-accounts",
      (name) => ({ organization_id: organizationId, name, role: "all_viewer" }),
      undefined,
      { ...inOrganization, references: { organization_id: "/organizations" } },
    ),
    sample(
      "/service-account-credentials",
      (name) => ({ service_account_id: accountId, display_name: name }),
      undefined,
      { ...inOrganization, named: false, references: { service_account_id: "/service-accounts" } },
    ),
    sample(
      "/role-bindings",
      (name) => ({
        organization_id: organizationId,
        subject: { claim: "groups", value: name },
        role: "viewer",
        project_id: projectId,
      }),
      undefined,
      {
        ...inOrganization,
        named: false,
        references: { organization_id: "/organizations", project_id: "/projects" },
      },
    ),
  ];
};

/** Policies, trust score profiles and resolvers, which refer to nothing but their project. */
const policySamples = (sample: MakeSample, inProject: InProject): readonly Sample[] => {
  const content = { request_content_type: "JSON", response_content_type: "JSON" };
  return [
    sample("/authorization-policies", inProject({ policy: kbac("READ"), status: "ACTIVE", tags: ["a"] }), {
      policy: kbac("WRITE"),
      status: "INACTIVE",
      tags: ["b"],
    }),
    sample(
      "/trust-score-profiles",
      inProject({
        node_classification: "Person",
        schedule: "DAILY",
        dimensions: [{ name: "VALIDITY", weight: 0.5 }],
      }),
      { schedule: "SIX_HOURS" },
    ),
    sample(
      "/external-data-resolvers",
      inProject({ ...content, url: "https://api.example/{$id}", method: "GET", response_selector: ".value" }),
      {
        ...content,
        url: "https://other.example",
        method: "POST",
        request_payload: '{"id":1}',
        response_selector: ".other",
      },
    ),
  ];
};

/** Token introspects, and what refers to one, to a policy or to an agent. */
const referringSamples = (
  sample: MakeSample,
  inProject: InProject,
  { agentId, introspectId, policyId }: Parents,
  key: string,
): readonly Sample[] => [
  sample("/token-introspects", inProject(introspect(key, "of-the-sample")), {
    ...introspect(key, "of-the-update"),
    sub_claim: "uid",
    perform_upsert: true,
  }),
  sample(
    "/knowledge-queries",
    inProject({ policy_id: policyId, query, status: "ACTIVE" }),
    { policy_id: policyId, query: `${query} `, status: "DRAFT" },
    { references: { project_id: "/projects", policy_id: "/authorization-policies" } },
  ),
  sample(
    "/mcp-servers",
    inProject({
      app_agent_id: agentId,
      token_introspect_id: introspectId,
      enabled: true,
      scopes_supported: ["a"],
    }),
    { app_agent_id: agentId, token_introspect_id: introspectId, enabled: false, scopes_supported: ["b"] },
    {
      references: {
        project_id: "/projects",
        app_agent_id: "/application-agents",
        token_introspect_id: "/token-introspects",
      },
    },
  ),
];

/** Every collection, in the order in which they are documented; the same as the paths of `samplesOf`. */
export const collectionPaths = [
  "/projects",
  "/applications",
  "/application-agents",
  "/application-agent-credentials",
  "/service-accounts",
  "/service-account-credentials",
  "/role-bindings",
  "/authorization-policies",
  "/trust-score-profiles",
  "/external-data-resolvers",
  "/token-introspects",
  "/knowledge-queries",
  "/mcp-servers",
  "/audit-signings",
] as const;

/** Credentials and role bindings: they have neither names nor updates nor versions. */
export const isNameless = (path: string): boolean =>
  path.endsWith("-credentials") || path === "/role-bindings";

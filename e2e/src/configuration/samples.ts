import type { Account } from "../requests/account.ts";
import type { Body } from "./collections.ts";
import { introspect, type Parents, publicKey } from "./parents.ts";

/** One collection of configuration records as a test walks over it. */
export interface Sample {
  readonly path: string;
  /** The query parameter that names the parent, for names and lists. */
  readonly scope: "project_id" | "organization_id";
  readonly scopeId: string;
  /** False for credentials and role bindings: neither names nor versions nor updates. */
  readonly hasName: boolean;
  /** Fields of `body` that name another record, with the collection of that one. */
  readonly references: Readonly<Record<string, string>>;
  /** Makes a record; beside another one only where a project may have several. */
  body(this: void, name: string): Body;
  /** An update that changes what may be changed: services/configs/test/samples.test.ts asks for every field. */
  change(this: void): Body;
}

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
    hasName: true,
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
      { hasName: false, references: { application_agent_id: "/application-agents" } },
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
      { ...inOrganization, hasName: false, references: { service_account_id: "/service-accounts" } },
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
        hasName: false,
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

import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { z } from "zod";
import { type Gid, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import { freshName, type Made, type Tenant } from "./tenant.ts";
import { ciqText, kbacText, queryText } from "./policy-texts.ts";

type Body = Record<string, unknown>;

/** One collection as a test walks over it. */
export interface Sample {
  readonly path: string;
  readonly description: RecordDescription;
  readonly record: z.ZodObject;
  readonly scope: "project_id" | "organization_id";
  readonly parent: string;
  readonly hasName: boolean;
  /** The record that is there, and the body that made it. */
  readonly made: Made;
  readonly request: Body;
  /** A body that makes another one beside it; for a collection of which a project has one, in another project. */
  body(this: void, name?: string): Body;
  /** Another value for every field of its own that an update may change. */
  change(this: void): Body;
}

/** One record of every collection in a new project. */
export interface Population {
  readonly project: Made;
  readonly application: Made;
  readonly agent: Made;
  readonly credential: Made;
  readonly kbac: Made;
  readonly ciq: Made;
  readonly query: Made;
  readonly introspect: Made;
  readonly profile: Made;
  readonly resolver: Made;
  readonly server: Made;
  readonly signing: Made;
  readonly samples: readonly Sample[];
}

export const publicKeyText = JSON.stringify({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
  kid: "one",
});

export const introspectBody = (project: Gid, audience = freshName(), name = freshName()) => ({
  project_id: project,
  name,
  jwt_matcher: { issuer: "https://issuer.example/", audience },
  offline_validation: { public_jwks: [publicKeyText] },
  claims_mapping: { email: { selector: "mail" } },
  sub_claim: { selector: "uid" },
  ikg_node_type: "Person",
});

/** A node type that no other profile has. */
const freshType = (): string => `T${randomBytes(8).toString("hex")}`;

const resolverFields = {
  url: "https://api.example/{$id || none}",
  method: "GET",
  headers: { "X-Key": ["one", "two"] },
  request_content_type: "JSON",
  request_payload: '{"a":1}',
  response_content_type: "JSON",
  response_selector: ".value",
};

const otherResolverFields = {
  url: "http://other.example/x",
  method: "PATCH",
  headers: { Accept: ["x/y"] },
  request_content_type: "JSON",
  request_payload: '["other"]',
  response_content_type: "JSON",
  response_selector: ".other",
};

const otherIntrospectFields = () => ({
  jwt_matcher: { issuer: "https://other.example", audience: freshName() },
  online_validation: { userinfo_endpoint: "https://other.example/me", cache_ttl: 0 },
  claims_mapping: { name: { selector: "n" } },
  sub_claim: "id",
  ikg_node_type: "User",
  perform_upsert: true,
});

const signingFields = {
  provider: "CUSTOMER_AWS_KMS",
  key_resource: "arn:aws:kms:one",
  kid: "one",
  auth_params: { region: "eu", secret_access_key: "something" },
};

/** An agent in a new project. */
export interface ProjectWithAgent {
  readonly project: Made;
  readonly application: Made;
  readonly agent: Made;
}

/** What a project needs before most of its records can be made. */
interface Base extends ProjectWithAgent {
  readonly introspect: Made;
}

export const createAgent = async (tenant: Tenant): Promise<ProjectWithAgent> => {
  const project = await tenant.project();
  const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
  const agent = await tenant.make("/application-agents", {
    application_id: application.id,
    name: freshName(),
    api_permissions: ["Capture", "ContXIQ"],
  });
  return { project, application, agent };
};

const createBase = async (tenant: Tenant): Promise<Base> => {
  const withAgent = await createAgent(tenant);
  const introspect = await tenant.make("/token-introspects", introspectBody(withAgent.project.id));
  return { ...withAgent, introspect };
};

export const serverBody = (
  { project, agent, introspect }: Pick<Base, "project" | "agent" | "introspect">,
  name = freshName(),
) => ({
  project_id: project.id,
  name,
  app_agent_id: agent.id,
  token_introspect_id: introspect.id,
  enabled: true,
  scopes_supported: ["b", "a", "b"],
});

/** How the record of one collection is made. */
interface Plan {
  readonly path: string;
  readonly make: (name: string) => Body;
  /** The record, if there is one already. */
  readonly existing?: Made;
  readonly change?: () => Body;
  /** Makes another record, if `make` cannot. */
  readonly another?: (name: string) => Body;
}

const inProject =
  ({ id }: Made, fields: Body) =>
  (name: string): Body => ({ project_id: id, name, ...fields });

const policyBody = (project: Made, policy: string) =>
  inProject(project, { policy, status: "ACTIVE", tags: ["a"] });

/** Projects, applications, agents, service accounts and their credentials. */
const agentAndAccountPlans = (
  { organization }: Tenant,
  { project, application, agent }: Base,
  account: Made,
): readonly Plan[] => [
  {
    path: "/projects",
    make: (name) => ({ organization_id: organization, name }),
    existing: project,
  },
  { path: "/applications", make: inProject(project, {}), existing: application },
  {
    path: "/application-agents",
    make: (name) => ({
      application_id: application.id,
      name,
      api_permissions: ["Capture", "ContXIQ"],
    }),
    existing: agent,
    change: () => ({ api_permissions: ["ContXIQ", "Authorization"] }),
  },
  {
    path: "/application-agent-credentials",
    make: () => ({ application_agent_id: agent.id, display_name: "some key" }),
  },
  {
    path: "/service-accounts",
    make: (name) => ({ organization_id: organization, name, role: "all_viewer" }),
  },
  {
    path: "/service-account-credentials",
    make: () => ({ service_account_id: account.id, display_name: "some token" }),
  },
  {
    path: "/role-bindings",
    make: () => ({
      organization_id: organization,
      subject: { claim: "groups", value: freshName() },
      role: "auditor",
      project_id: project.id,
    }),
  },
];

const policyPlans = ({ project }: Base, ciq: Made): readonly Plan[] => [
  {
    path: "/authorization-policies",
    make: policyBody(project, kbacText()),
    change: () => ({ policy: kbacText("WRITE"), status: "INACTIVE", tags: ["z", "b"] }),
  },
  {
    path: "/knowledge-queries",
    make: inProject(project, { policy_id: ciq.id, query: queryText(), status: "ACTIVE" }),
    change: () => ({ policy_id: ciq.id, query: `${queryText()} `, status: "DRAFT" }),
  },
  {
    path: "/trust-score-profiles",
    make: (name) => ({
      project_id: project.id,
      name,
      node_classification: freshType(),
      schedule: "DAILY",
      dimensions: [
        { name: "VALIDITY", weight: 0.5 },
        { name: "FRESHNESS", weight: 0 },
      ],
    }),
    change: () => ({ schedule: "SIX_HOURS", dimensions: [{ name: "ORIGIN", weight: 1 }] }),
  },
];

const connectionPlans = (base: Base, spare: Base): readonly Plan[] => [
  {
    path: "/external-data-resolvers",
    make: inProject(base.project, resolverFields),
    change: () => otherResolverFields,
  },
  {
    path: "/token-introspects",
    make: (name) => introspectBody(base.project.id, freshName(), name),
    existing: base.introspect,
    change: otherIntrospectFields,
  },
  {
    path: "/mcp-servers",
    make: (name) => serverBody(base, name),
    change: () => ({
      app_agent_id: spare.agent.id,
      token_introspect_id: spare.introspect.id,
      enabled: false,
      scopes_supported: ["z"],
    }),
    another: (name) => serverBody(spare, name),
  },
  {
    path: "/audit-signings",
    make: inProject(base.project, signingFields),
    change: () => ({
      provider: "CUSTOMER_GCP_KMS",
      key_resource: "projects/two",
      kid: "two",
      auth_params: { json: "other" },
    }),
  },
];

const sampleOf = async (
  tenant: Tenant,
  { path, make, existing, change = () => ({}), another = make }: Plan,
): Promise<Sample> => {
  const description = recordDescriptions.find((each) => each.path === path);
  if (description === undefined) throw new Error(`no collection at ${path}`);
  const request = make(existing?.name ?? freshName());
  return {
    path,
    description,
    record: description.record,
    scope: `${description.scope}_id`,
    parent: description.parent.field,
    hasName: description.hasName,
    made: existing ?? (await tenant.make(path, request)),
    request,
    body: (name = freshName()) => another(name),
    change,
  };
};

export const populate = async (tenant: Tenant): Promise<Population> => {
  const [base, spare] = [await createBase(tenant), await createBase(tenant)];
  const ciq = await tenant.make("/authorization-policies", policyBody(base.project, ciqText())(freshName()));
  const account = await tenant.make("/service-accounts", {
    organization_id: tenant.organization,
    name: freshName(),
    role: "all_viewer",
  });
  const samples: Sample[] = [];
  for (const plan of [
    ...agentAndAccountPlans(tenant, base, account),
    ...policyPlans(base, ciq),
    ...connectionPlans(base, spare),
  ])
    samples.push(await sampleOf(tenant, plan));
  const made = (path: string): Made => {
    const found = samples.find((each) => each.path === path);
    if (found === undefined) throw new Error(path);
    return found.made;
  };
  return {
    ...base,
    ciq,
    credential: made("/application-agent-credentials"),
    kbac: made("/authorization-policies"),
    query: made("/knowledge-queries"),
    profile: made("/trust-score-profiles"),
    resolver: made("/external-data-resolvers"),
    server: made("/mcp-servers"),
    signing: made("/audit-signings"),
    samples,
  };
};

export const paths: readonly string[] = recordDescriptions.map(({ path }) => path);

/** Collections whose records are updated: those with names. */
export const updatedPaths: readonly string[] = recordDescriptions
  .filter(({ update }) => update !== undefined)
  .map(({ path }) => path);

/** What only the answer to a POST or PUT has. */
export const recordIn = (body: Body): Body => {
  const {
    application_agent_config: _agent,
    service_account_config: _account,
    warnings: _warnings,
    ...record
  } = body;
  return record;
};

import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { z } from "zod";
import { type Gid, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import { ciqText, freshName, kbacText, type Made, queryText, type Tenant } from "./configs-under-test.ts";

type Body = Record<string, unknown>;

/** One collection as a test walks over it. */
export interface Sample {
  readonly path: string;
  readonly description: RecordDescription;
  readonly record: z.ZodObject;
  readonly scope: "project_id" | "organization_id";
  readonly parent: string;
  readonly named: boolean;
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

const signingFields = {
  provider: "CUSTOMER_AWS_KMS",
  key_resource: "arn:aws:kms:one",
  kid: "one",
  auth_params: { region: "eu", secret_access_key: "something" },
};

/** What stands in a project before most of its records can be made. */
const ground = async (tenant: Tenant) => {
  const project = await tenant.project();
  const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
  const agent = await tenant.make("/application-agents", {
    application_id: application.id,
    name: freshName(),
    api_permissions: ["Capture", "ContXIQ"],
  });
  const introspect = await tenant.make("/token-introspects", introspectBody(project.id));
  return { project, application, agent, introspect };
};

export const serverBody = (
  { project, agent, introspect }: { readonly project: Made; readonly agent: Made; readonly introspect: Made },
  name = freshName(),
) => ({
  project_id: project.id,
  name,
  app_agent_id: agent.id,
  token_introspect_id: introspect.id,
  enabled: true,
  scopes_supported: ["b", "a", "b"],
});

export const populate = async (tenant: Tenant): Promise<Population> => {
  const [main, spare] = [await ground(tenant), await ground(tenant)];
  const { project, application, agent } = main;
  const inProject = (fields: Body) => (name: string) => ({ project_id: project.id, name, ...fields });
  const policy = (text: string) => inProject({ policy: text, status: "ACTIVE", tags: ["a"] });
  const ciq = await tenant.make("/authorization-policies", policy(ciqText())(freshName()));
  const account = await tenant.make("/service-accounts", {
    organization_id: tenant.organization,
    name: freshName(),
    role: "all_viewer",
  });

  const sample = async (
    path: string,
    make: (name: string) => Body,
    more: {
      readonly there?: Made;
      readonly change?: () => Body;
      readonly body?: (name: string) => Body;
    } = {},
  ): Promise<Sample> => {
    const description = recordDescriptions.find((each) => each.path === path);
    if (description === undefined) throw new Error(`no collection at ${path}`);
    const { there, change = () => ({}), body = make } = more;
    const request = make(there?.name ?? freshName());
    return {
      path,
      description,
      record: description.record,
      scope: `${description.scope}_id`,
      parent: description.parent.field,
      named: description.named,
      made: there ?? (await tenant.make(path, request)),
      request,
      body: (name = freshName()) => body(name),
      change,
    };
  };

  const samples = [
    await sample("/projects", (name) => ({ organization_id: tenant.organization, name }), { there: project }),
    await sample("/applications", inProject({}), { there: application }),
    await sample(
      "/application-agents",
      (name) => ({ application_id: application.id, name, api_permissions: ["Capture", "ContXIQ"] }),
      { there: agent, change: () => ({ api_permissions: ["ContXIQ", "Authorization"] }) },
    ),
    await sample("/application-agent-credentials", () => ({
      application_agent_id: agent.id,
      display_name: "some key",
    })),
    await sample("/service-accounts", (name) => ({
      organization_id: tenant.organization,
      name,
      role: "all_viewer",
    })),
    await sample("/service-account-credentials", () => ({
      service_account_id: account.id,
      display_name: "some token",
    })),
    await sample("/authorization-policies", policy(kbacText()), {
      change: () => ({ policy: kbacText("WRITE"), status: "INACTIVE", tags: ["z", "b"] }),
    }),
    await sample(
      "/trust-score-profiles",
      (name) => ({
        project_id: project.id,
        name,
        node_classification: freshType(),
        schedule: "DAILY",
        dimensions: [
          { name: "VALIDITY", weight: 0.5 },
          { name: "FRESHNESS", weight: 0 },
        ],
      }),
      { change: () => ({ schedule: "SIX_HOURS", dimensions: [{ name: "ORIGIN", weight: 1 }] }) },
    ),
    await sample("/external-data-resolvers", inProject(resolverFields), {
      change: () => ({
        url: "http://other.example/x",
        method: "PATCH",
        headers: { Accept: ["x/y"] },
        request_content_type: "JSON",
        request_payload: '["other"]',
        response_content_type: "JSON",
        response_selector: ".other",
      }),
    }),
    await sample("/token-introspects", (name) => introspectBody(project.id, freshName(), name), {
      there: main.introspect,
      change: () => ({
        jwt_matcher: { issuer: "https://other.example", audience: freshName() },
        online_validation: { userinfo_endpoint: "https://other.example/me", cache_ttl: 0 },
        claims_mapping: { name: { selector: "n" } },
        sub_claim: "id",
        ikg_node_type: "User",
        perform_upsert: true,
      }),
    }),
    await sample(
      "/knowledge-queries",
      inProject({ policy_id: ciq.id, query: queryText(), status: "ACTIVE" }),
      { change: () => ({ policy_id: ciq.id, query: `${queryText()} `, status: "DRAFT" }) },
    ),
    await sample("/mcp-servers", (name) => serverBody(main, name), {
      change: () => ({
        app_agent_id: spare.agent.id,
        token_introspect_id: spare.introspect.id,
        enabled: false,
        scopes_supported: ["z"],
      }),
      body: (name) => serverBody(spare, name),
    }),
    await sample("/audit-signings", inProject(signingFields), {
      change: () => ({
        provider: "CUSTOMER_GCP_KMS",
        key_resource: "projects/two",
        kid: "two",
        auth_params: { json: "other" },
      }),
    }),
  ];
  const made = (path: string): Made => {
    const found = samples.find((each) => each.path === path);
    if (found === undefined) throw new Error(path);
    return found.made;
  };
  return {
    project,
    application,
    agent,
    ciq,
    introspect: main.introspect,
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

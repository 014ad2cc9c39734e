import { generateKeyPairSync } from "node:crypto";
import type { z } from "zod";
import {
  ApplicationAgentCredentialRecord,
  ApplicationAgentRecord,
  ApplicationRecord,
  AuthorizationPolicyRecord,
  type Gid,
  KnowledgeQueryRecord,
  ProjectRecord,
  TokenIntrospectRecord,
} from "@ikg/contracts";
import { ciqText, freshName, kbacText, type Made, queryText, type Tenant } from "./configs-under-test.ts";

/** One collection as a test walks over it: a body that makes another record of it beside the ones that are there. */
export interface Sample {
  readonly path: string;
  readonly record: z.ZodObject;
  readonly scope: "project_id" | "organization_id";
  readonly scopeId: Gid;
  readonly parent: string;
  readonly named: boolean;
  readonly made: Made;
  body(name?: string): Record<string, unknown>;
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

export const populate = async (tenant: Tenant): Promise<Population> => {
  const bodies = {
    project: (name = freshName()) => ({ organization_id: tenant.organization, name }),
    application: (name = freshName()) => ({ project_id: project.id, name }),
    agent: (name = freshName()) => ({
      application_id: application.id,
      name,
      api_permissions: ["Capture", "ContXIQ"],
    }),
    credential: () => ({ application_agent_id: agent.id, display_name: "some key" }),
    policy: (name = freshName()) => ({
      project_id: project.id,
      name,
      policy: kbacText(),
      status: "ACTIVE",
      tags: ["a"],
    }),
    query: (name = freshName()) => ({
      project_id: project.id,
      name,
      policy_id: ciq.id,
      query: queryText(),
      status: "ACTIVE",
    }),
    introspect: (name = freshName()) => introspectBody(project.id, freshName(), name),
  };
  const project = await tenant.make("/projects", bodies.project());
  const application = await tenant.make("/applications", bodies.application());
  const agent = await tenant.make("/application-agents", bodies.agent());
  const credential = await tenant.make("/application-agent-credentials", bodies.credential());
  const kbac = await tenant.make("/authorization-policies", bodies.policy());
  const ciq = await tenant.make("/authorization-policies", { ...bodies.policy(), policy: ciqText() });
  const query = await tenant.make("/knowledge-queries", bodies.query());
  const introspect = await tenant.make("/token-introspects", bodies.introspect());
  const inProject = { scope: "project_id", scopeId: project.id, parent: "project_id", named: true } as const;
  return {
    project,
    application,
    agent,
    credential,
    kbac,
    ciq,
    query,
    introspect,
    samples: [
      {
        path: "/projects",
        record: ProjectRecord,
        scope: "organization_id",
        scopeId: tenant.organization,
        parent: "organization_id",
        named: true,
        made: project,
        body: bodies.project,
      },
      {
        ...inProject,
        path: "/applications",
        record: ApplicationRecord,
        made: application,
        body: bodies.application,
      },
      {
        ...inProject,
        path: "/application-agents",
        record: ApplicationAgentRecord,
        parent: "application_id",
        made: agent,
        body: bodies.agent,
      },
      {
        ...inProject,
        path: "/application-agent-credentials",
        record: ApplicationAgentCredentialRecord,
        parent: "application_agent_id",
        named: false,
        made: credential,
        body: bodies.credential,
      },
      {
        ...inProject,
        path: "/authorization-policies",
        record: AuthorizationPolicyRecord,
        made: kbac,
        body: bodies.policy,
      },
      {
        ...inProject,
        path: "/knowledge-queries",
        record: KnowledgeQueryRecord,
        made: query,
        body: bodies.query,
      },
      {
        ...inProject,
        path: "/token-introspects",
        record: TokenIntrospectRecord,
        made: introspect,
        body: bodies.introspect,
      },
    ],
  };
};

export const paths = [
  "/projects",
  "/applications",
  "/application-agents",
  "/application-agent-credentials",
  "/authorization-policies",
  "/knowledge-queries",
  "/token-introspects",
] as const;

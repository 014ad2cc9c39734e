/** A project with an MCP server in which one person may read one document, through the public API. */
import { call, create } from "../api.ts";
import type { Issuer } from "../auth/issuer.ts";
import { type Agent, makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";

export interface McpProject {
  readonly id: string;
  readonly agent: Agent;
}

/** Subject of the first token that an issuer signs. */
export const person = "person-1";
export const documents = { owned: "document-1", foreign: "document-2" } as const;

const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Document)" },
};

/** @param permissions that the agent has besides those that decisions and captures need */
export const makeMcpProject = async (
  target: Target,
  issuer: Issuer,
  created: (projectId: string) => void,
  permissions: readonly string[] = [],
): Promise<McpProject> => {
  const id = await makeProject(target, "mcp");
  created(id);
  const agent = await makeAgent(target, id, ["Authorization", "Capture", ...permissions]);
  const make = (collection: string, fields: object) =>
    create(target.gateway, target.serviceAccountToken, collection, {
      project_id: id,
      name: "bench",
      ...fields,
    });
  const introspect = await make("token-introspects", {
    jwt_matcher: { issuer: issuer.issuer, audience: issuer.audience },
    offline_validation: { public_jwks: [JSON.stringify(issuer.jwk)] },
    ikg_node_type: "Person",
  });
  await make("authorization-policies", { policy: JSON.stringify(policy), status: "ACTIVE" });
  const key = { "x-svc-clientkey": agent.apiKey };
  const node = (type: string, external_id: string) => ({ type, external_id });
  await call(target.gateway, "POST", "/capture/v1/nodes", key, {
    nodes: [node("Person", person), ...Object.values(documents).map((each) => node("Document", each))],
  });
  await call(target.gateway, "POST", "/capture/v1/relationships", key, {
    relationships: [
      { source: node("Person", person), target: node("Document", documents.owned), type: "OWNS" },
    ],
  });
  await make("mcp-servers", {
    app_agent_id: agent.agentId,
    token_introspect_id: introspect.id,
    enabled: true,
    scopes_supported: ["bench"],
  });
  return { id, agent };
};

/** A project with an MCP server in which one person may read one document, through the public API. */
import type { NewApplicationAgent } from "@ikg/client";
import type { Issuer } from "../auth/issuer.ts";
import { captureGraph } from "../capture-graph.ts";
import { openAdmin } from "../clients.ts";
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
  permissions: NewApplicationAgent["api_permissions"] = [],
): Promise<McpProject> => {
  const id = await makeProject(target, "mcp");
  created(id);
  const agent = await makeAgent(target, id, ["Authorization", "Capture", ...permissions]);
  const admin = openAdmin(target, id);
  const name = "bench";
  const introspect = await admin.introspects.create({
    name,
    jwt_matcher: { issuer: issuer.issuer, audience: issuer.audience },
    offline_validation: { public_jwks: [JSON.stringify(issuer.jwk)] },
    ikg_node_type: "Person",
  });
  await admin.policies.create({ name, policy, status: "ACTIVE" });
  const node = (type: string, external_id: string) => ({ type, external_id });
  const owner = node("Person", person);
  await captureGraph(target, agent.apiKey, {
    nodes: [owner, ...Object.values(documents).map((each) => node("Document", each))],
    relationships: [{ source: owner, target: node("Document", documents.owned), type: "OWNS" }],
  });
  await admin.mcpServers.create({
    name,
    app_agent_id: agent.agentId,
    token_introspect_id: introspect.id,
    enabled: true,
    scopes_supported: ["bench"],
  });
  return { id, agent };
};

/** Projects of a measurement's own, made through the public API and deleted afterwards. */
import type { AgentCaller } from "@ikg/contracts";
import { call, create } from "./api.ts";
import type { Target } from "./settings.ts";

export const makeProject = async (target: Target, name: string): Promise<string> => {
  const fields = { organization_id: target.organizationId, name: `bench-${name}-${Date.now().toString(36)}` };
  const { id } = await create(target.gateway, target.serviceAccountToken, "projects", fields);
  return id;
};

/** An application's agent with its API key. */
export interface Agent {
  readonly applicationId: string;
  readonly agentId: string;
  readonly apiKey: string;
}

export const makeAgent = async (
  target: Target,
  projectId: string,
  permissions: readonly string[],
): Promise<Agent> => {
  const make = (collection: string, fields: object) =>
    create(target.gateway, target.serviceAccountToken, collection, fields);
  const application = await make("applications", { project_id: projectId, name: "bench" });
  const agent = await make("application-agents", {
    application_id: application.id,
    name: "bench",
    api_permissions: permissions,
  });
  const credential = await make("application-agent-credentials", { application_agent_id: agent.id });
  // The credential JSON that a creation answers once.
  const { token } = credential["application_agent_config"] as { token: string };
  return { applicationId: application.id, agentId: agent.id, apiKey: token };
};

export const removeProject = async (target: Target, projectId: string): Promise<void> => {
  const headers = { authorization: `Bearer ${target.serviceAccountToken}` };
  await call(target.gateway, "DELETE", `/configs/v1/projects/${encodeURIComponent(projectId)}`, headers);
};

/** The agent as the gateway would describe it to the service behind it. */
export const callerOf = (
  target: Target,
  projectId: string,
  agent: Agent,
  permission = "Authorization",
): AgentCaller => {
  const caller = {
    kind: "agent",
    credential_kid: "benchbenchbench0",
    org: target.organizationId,
    project: projectId,
    application: agent.applicationId,
    agent: agent.agentId,
    permissions: [permission],
  };
  return caller as AgentCaller; // the ids are gids, as the API just answered them
};

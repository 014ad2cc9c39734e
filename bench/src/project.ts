/** Projects of a measurement's own, made through the public API and deleted afterwards. */
import type { AgentCaller } from "@ikg/contracts";
import type { NewApplicationAgent } from "@ikg/client";
import { openAdmin } from "./clients.ts";
import type { Target } from "./settings.ts";

export const makeProject = async (target: Target, name: string): Promise<string> => {
  const { id } = await openAdmin(target).projects.create({
    organization_id: target.organizationId,
    name: `bench-${name}-${Date.now().toString(36)}`,
  });
  return id;
};

/** Permissions of an agent that captures data and asks for decisions. */
export const agentPermissions = ["Authorization", "Capture"] as const;

/** An application's agent with its API key. */
export interface Agent {
  readonly applicationId: string;
  readonly agentId: string;
  readonly apiKey: string;
}

/** A project with the agent that uses it. */
export interface Project {
  readonly id: string;
  /** key of the project in the graph: mark of its labels, start of its node keys */
  readonly pk: string;
  readonly agent: Agent;
}

export const makeAgent = async (
  target: Target,
  projectId: string,
  permissions: NewApplicationAgent["api_permissions"],
): Promise<Agent> => {
  const admin = openAdmin(target, projectId);
  const application = await admin.applications.create({ name: "bench" });
  const agent = await admin.agents.create({
    application_id: application.id,
    name: "bench",
    api_permissions: permissions,
  });
  const { application_agent_config: config } = await admin.agentCredentials.create({
    application_agent_id: agent.id,
  });
  if (config === undefined) throw new Error("a new credential does not show its key");
  return { applicationId: application.id, agentId: agent.id, apiKey: config.token };
};

export const removeProject = (target: Target, projectId: string): Promise<void> =>
  openAdmin(target).projects.delete(projectId);

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

import { expect, it } from "@jest/globals";
import { type AgentCaller, defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import { callersToken } from "./callers-token.ts";
import type { Introspection } from "./introspection/introspect.ts";
import type { IntrospectionConfig } from "./introspection/types.ts";

const project = newGid("project");
const agent: AgentCaller = {
  kind: "agent",
  credential_kid: "k",
  org: newGid("organization"),
  project,
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Authorization", "ContXIQ"],
};
const user = { subject: "ann", claims: {}, configId: "c", nodeType: "Person" };
const introspect: IntrospectionConfig = {
  id: "c",
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: project,
  claimsMapping: {},
  subClaim: "sub",
  nodeType: "Person",
  performUpsert: false,
};
const called = {
  project: {
    id: project,
    pk: projectKey("abcdefgh"),
    limits: effectiveLimits(undefined),
    organizationId: agent.org,
    organizationNames: defaultOrganizationNames,
  },
  introspects: [],
  mcpServer: { agent, introspect },
};
const introspection: Introspection = { introspect: async () => user, close: async () => undefined };
const tokenFor = (more: Partial<AgentCaller>) =>
  callersToken(introspection, { ...agent, user, ...more }, "a.b.c", called);

it("a call of mcp is for the agent of the MCP server, with permissions that it has", async () => {
  await expect(tokenFor({})).resolves.toBe(user);
  await expect(tokenFor({ permissions: ["ContXIQ"] })).resolves.toBe(user);
  const refused = { code: "internal_context_invalid", status: 503 };
  await expect(tokenFor({ agent: newGid("application_agent") })).rejects.toMatchObject(refused);
  const more: AgentCaller["permissions"] = ["Authorization", "ReadAuthZConfigs"];
  await expect(tokenFor({ permissions: more })).rejects.toMatchObject(refused);
});

import { describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import type { StoredIntrospect } from "./introspect.ts";
import { mcpServerOf } from "./mcp-server.ts";
import type { CatalogProject } from "./project.ts";

const project: CatalogProject = {
  id: newGid("project"),
  organizationId: newGid("organization"),
  pk: projectKey(""),
  ikgStatus: "ACTIVE",
  connection: undefined,
  composite: undefined,
  limits: effectiveLimits(undefined),
  organizationNames: defaultOrganizationNames,
};
const introspect: StoredIntrospect = {
  id: newGid("token_introspect"),
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: project.id,
  jwtMatcher: { issuer: "https://issuer.example", audience: "cars" },
  opaqueMatcher: undefined,
  offline: { publicJwks: [] },
  online: undefined,
  claimsMapping: {},
  subClaim: "sub",
  nodeType: "Person",
  performUpsert: false,
};
const row = (data: object = {}, more: object = {}) => ({
  id: newGid("mcp_server"),
  name: "mcp",
  display_name: "",
  data: JSON.stringify({
    token_introspect_id: introspect.id,
    enabled: true,
    scopes_supported: ["a"],
    ...data,
  }),
  agent_id: newGid("application_agent"),
  agent_data: JSON.stringify({ api_permissions: ["Authorization"] }),
  application_id: newGid("application"),
  ...more,
});

describe("the MCP server of a project", () => {
  it("acts as its agent", () => {
    const stored = row();
    expect(mcpServerOf(stored, project, [introspect])).toEqual({
      id: stored.id,
      name: "mcp",
      displayName: undefined,
      enabled: true,
      scopesSupported: ["a"],
      introspect,
      agent: {
        kind: "agent",
        credential_kid: stored.id,
        org: project.organizationId,
        project: project.id,
        application: stored.application_id,
        agent: stored.agent_id,
        permissions: ["Authorization"],
      },
    });
  });

  it("is none without what it is bound to", () => {
    expect(mcpServerOf(undefined, project, [introspect])).toBeUndefined();
    expect(mcpServerOf(row(), project, [])).toBeUndefined();
    expect(mcpServerOf(row({ token_introspect_id: "another" }), project, [introspect])).toBeUndefined();
    const unknown = { agent_data: JSON.stringify({ api_permissions: ["Everything"] }) };
    expect(mcpServerOf(row({}, unknown), project, [introspect])).toBeUndefined();
  });
});

import { AgentCaller } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import type { StoredIntrospect } from "./introspect.ts";
import type { CatalogProject } from "./project.ts";

/** The MCP server of a project with what it is bound to. */
export interface McpServer {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | undefined;
  readonly enabled: boolean;
  readonly scopesSupported: readonly string[];
  /** As whom it calls; in place of a credential's key id stands its own id. */
  readonly agent: AgentCaller;
  /** The one configuration that judges tokens for it. */
  readonly introspect: StoredIntrospect;
}

/** Fields as the configs service stores them. */
interface McpServerData {
  readonly token_introspect_id: string;
  readonly enabled: boolean;
  readonly scopes_supported: readonly string[];
}

/** The server of a stored row; undefined when its introspection configuration is not there or does not open. */
export const mcpServerOf = (
  row: Row | undefined,
  project: CatalogProject,
  introspects: readonly StoredIntrospect[],
): McpServer | undefined => {
  if (row === undefined) return undefined;
  const data = JSON.parse(String(row["data"])) as McpServerData; // written from the contract's schema alone
  const agentData = JSON.parse(String(row["agent_data"])) as { api_permissions?: unknown }; // likewise
  const agent = AgentCaller.safeParse({
    kind: "agent",
    credential_kid: row["id"],
    org: project.organizationId,
    project: project.id,
    application: row["application_id"],
    agent: row["agent_id"],
    permissions: agentData.api_permissions,
  });
  const introspect = introspects.find(({ id }) => id === data.token_introspect_id);
  if (!agent.success || introspect === undefined) return undefined;
  const displayName = row["display_name"];
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    displayName: typeof displayName === "string" && displayName !== "" ? displayName : undefined,
    enabled: data.enabled,
    scopesSupported: data.scopes_supported,
    agent: agent.data,
    introspect,
  };
};

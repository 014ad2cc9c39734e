/** The tabs of the screen: `operation` is what a role must be allowed, for the tab to be offered. */
export const tabs = [
  { tab: "applications", label: "Applications", operation: "list_applications" },
  { tab: "administrators", label: "Roles", operation: "list_role_bindings" },
  { tab: "introspects", label: "User tokens", operation: "list_token_introspects" },
  { tab: "mcp", label: "MCP", operation: "list_mcp_servers" },
  { tab: "resolvers", label: "Resolvers", operation: "list_external_data_resolvers" },
  { tab: "trust", label: "Trust scores", operation: "list_trust_score_profiles" },
  { tab: "signing", label: "Audit signing", operation: "list_audit_signings" },
  { tab: "changes", label: "Changes", operation: "list_changes" },
] as const;

export type Tab = (typeof tabs)[number];

export type TabName = Tab["tab"];

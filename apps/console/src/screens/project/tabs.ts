/** The tabs of the screen: `operation` is what a role must be allowed, for the tab to be offered. */
export const tabs = [
  { tab: "applications", label: "Applications", operation: "list_applications" },
  { tab: "administrators", label: "Administrators", operation: "list_role_bindings" },
  { tab: "introspects", label: "Tokens of people", operation: "list_token_introspects" },
  { tab: "mcp", label: "MCP", operation: "list_mcp_servers" },
  { tab: "resolvers", label: "Resolvers", operation: "list_external_data_resolvers" },
  { tab: "trust", label: "Trust scores", operation: "list_trust_score_profiles" },
  { tab: "signing", label: "Audit signing", operation: "list_audit_signings" },
  { tab: "changes", label: "Change history", operation: "list_changes" },
] as const;

export type TabName = (typeof tabs)[number]["tab"];

import type { IkgAdmin } from "@ikg/client";

/** Members of IkgAdmin that are collections. */
export type CollectionName = {
  [Name in keyof IkgAdmin]: IkgAdmin[Name] extends { list: unknown; get: unknown; create: unknown }
    ? Name
    : never;
}[keyof IkgAdmin];

/** Names of collections on the command line: the names of docs/api.md, and short names. */
export const collectionNames: Readonly<Record<string, CollectionName>> = {
  projects: "projects",
  applications: "applications",
  "application-agents": "agents",
  agents: "agents",
  "application-agent-credentials": "agentCredentials",
  "agent-credentials": "agentCredentials",
  "service-accounts": "serviceAccounts",
  "service-account-credentials": "serviceAccountCredentials",
  "role-bindings": "roleBindings",
  "authorization-policies": "policies",
  policies: "policies",
  "knowledge-queries": "queries",
  queries: "queries",
  "trust-score-profiles": "trustScoreProfiles",
  profiles: "trustScoreProfiles",
  "external-data-resolvers": "resolvers",
  resolvers: "resolvers",
  "token-introspects": "introspects",
  introspects: "introspects",
  "mcp-servers": "mcpServers",
  "audit-signings": "auditSignings",
};

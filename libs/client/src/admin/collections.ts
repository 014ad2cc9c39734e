/** What the client knows of a collection. */
export interface CollectionDescription {
  /** Below `/configs/v1`. */
  readonly path: string;
  /** Where names are unique. */
  readonly scope: "organization" | "project";
  /** The field that names the containing record. */
  readonly parent: string;
  /** A field that holds a text of the policy language, which may be given as the JSON object that it says. */
  readonly language?: string;
  /** Fields that are read without their secrets; an update that repeats them would lose these, absence keeps them. */
  readonly masked?: readonly string[];
}

const inProject = { scope: "project", parent: "project_id" } as const;
const inOrganization = { scope: "organization", parent: "organization_id" } as const;

/** Every collection of configuration records. */
export const collections = {
  projects: { path: "/projects", ...inOrganization, masked: ["db_connection"] },
  applications: { path: "/applications", ...inProject },
  agents: { path: "/application-agents", scope: "project", parent: "application_id" },
  agentCredentials: {
    path: "/application-agent-credentials",
    scope: "project",
    parent: "application_agent_id",
  },
  serviceAccounts: { path: "/service-accounts", ...inOrganization },
  serviceAccountCredentials: {
    path: "/service-account-credentials",
    scope: "organization",
    parent: "service_account_id",
  },
  roleBindings: { path: "/role-bindings", ...inOrganization },
  policies: { path: "/authorization-policies", ...inProject, language: "policy" },
  trustScoreProfiles: { path: "/trust-score-profiles", ...inProject },
  resolvers: { path: "/external-data-resolvers", ...inProject },
  introspects: { path: "/token-introspects", ...inProject },
  queries: { path: "/knowledge-queries", ...inProject, language: "query" },
  mcpServers: { path: "/mcp-servers", ...inProject },
  auditSignings: { path: "/audit-signings", ...inProject, masked: ["auth_params"] },
} as const satisfies Readonly<Record<string, CollectionDescription>>;

export type CollectionName = keyof typeof collections;

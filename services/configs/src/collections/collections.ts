import { applicationAgentCredentials } from "./application-agent-credentials.ts";
import { applicationAgents } from "./application-agents.ts";
import { applications } from "./applications.ts";
import { auditSignings } from "./audit-signings.ts";
import { authorizationPolicies } from "./authorization-policies.ts";
import type { Collection, Collections } from "../records/collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { externalDataResolvers } from "./external-data-resolvers.ts";
import { knowledgeQueries } from "./knowledge-queries.ts";
import { mcpServers } from "./mcp-servers.ts";
import { projects } from "./projects.ts";
import { roleBindings } from "./role-bindings.ts";
import { serviceAccountCredentials } from "./service-account-credentials.ts";
import { serviceAccounts } from "./service-accounts.ts";
import { tokenIntrospects } from "./token-introspects.ts";
import { trustScoreProfiles } from "./trust-score-profiles.ts";

/**
 * The collections of the product. A new one is a file of its own and a line here; its description is in `@ikg/contracts`.
 * docs/changing.md lists what else names it: gids, labels, the client, the command line, samples of tests.
 */
export const describeCollections = (settings: CollectionSettings): Collections => {
  const all: readonly Collection[] = [
    projects(settings),
    applications,
    applicationAgents,
    applicationAgentCredentials(settings),
    serviceAccounts,
    serviceAccountCredentials(settings),
    roleBindings,
    authorizationPolicies(settings),
    trustScoreProfiles,
    externalDataResolvers,
    tokenIntrospects(settings),
    knowledgeQueries(settings.budget),
    mcpServers,
    auditSignings,
  ];
  return new Map(all.map((collection) => [collection.kind, collection]));
};

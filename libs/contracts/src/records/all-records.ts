import { applicationAgentCredentialCollection } from "./application-agent-credential.ts";
import { applicationAgentCollection } from "./application-agent.ts";
import { applicationCollection } from "./application.ts";
import { auditSigningCollection } from "./audit-signing.ts";
import { authorizationPolicyCollection } from "./authorization-policy.ts";
import type { RecordDescription } from "./description.ts";
import { externalDataResolverCollection } from "./external-data-resolver.ts";
import { knowledgeQueryCollection } from "./knowledge-query.ts";
import { mcpServerCollection } from "./mcp-server.ts";
import { projectCollection } from "./project.ts";
import { roleBindingCollection } from "./role-binding.ts";
import { serviceAccountCredentialCollection } from "./service-account-credential.ts";
import { serviceAccountCollection } from "./service-account.ts";
import { tokenIntrospectCollection } from "./token-introspect.ts";
import { trustScoreProfileCollection } from "./trust-score-profile.ts";

/** Every collection of configuration records, in the order in which they are documented. */
export const recordDescriptions: readonly RecordDescription[] = [
  projectCollection,
  applicationCollection,
  applicationAgentCollection,
  applicationAgentCredentialCollection,
  serviceAccountCollection,
  serviceAccountCredentialCollection,
  roleBindingCollection,
  authorizationPolicyCollection,
  trustScoreProfileCollection,
  externalDataResolverCollection,
  tokenIntrospectCollection,
  knowledgeQueryCollection,
  mcpServerCollection,
  auditSigningCollection,
];

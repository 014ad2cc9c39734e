import type * as records from "../contract/records.ts";

/** Types of each collection: a record, a new one, and an update, where there is one. */
export interface CollectionTypes {
  projects: [records.ProjectRecord, records.NewProject, records.ProjectUpdate];
  applications: [records.ApplicationRecord, records.NewApplication, records.ApplicationUpdate];
  agents: [records.ApplicationAgentRecord, records.NewApplicationAgent, records.ApplicationAgentUpdate];
  agentCredentials: [records.ApplicationAgentCredentialRecord, records.NewApplicationAgentCredential, never];
  serviceAccounts: [records.ServiceAccountRecord, records.NewServiceAccount, records.ServiceAccountUpdate];
  serviceAccountCredentials: [
    records.ServiceAccountCredentialRecord,
    records.NewServiceAccountCredential,
    never,
  ];
  roleBindings: [records.RoleBindingRecord, records.NewRoleBinding, never];
  policies: [
    records.AuthorizationPolicyRecord,
    records.NewAuthorizationPolicy,
    records.AuthorizationPolicyUpdate,
  ];
  trustScoreProfiles: [
    records.TrustScoreProfileRecord,
    records.NewTrustScoreProfile,
    records.TrustScoreProfileUpdate,
  ];
  resolvers: [
    records.ExternalDataResolverRecord,
    records.NewExternalDataResolver,
    records.ExternalDataResolverUpdate,
  ];
  introspects: [records.TokenIntrospectRecord, records.NewTokenIntrospect, records.TokenIntrospectUpdate];
  queries: [records.KnowledgeQueryRecord, records.NewKnowledgeQuery, records.KnowledgeQueryUpdate];
  mcpServers: [records.McpServerRecord, records.NewMcpServer, records.McpServerUpdate];
  auditSignings: [records.AuditSigningRecord, records.NewAuditSigning, records.AuditSigningUpdate];
}

export type RecordOf<Name extends keyof CollectionTypes> = CollectionTypes[Name][0];
export type NewOf<Name extends keyof CollectionTypes> = CollectionTypes[Name][1];
type FieldsOf<Name extends keyof CollectionTypes> = CollectionTypes[Name][2];

/** An update; a field may also be what a read shows of it. */
export type UpdateOf<Name extends keyof CollectionTypes> = {
  [Field in keyof FieldsOf<Name>]:
    | FieldsOf<Name>[Field]
    | (Field extends keyof RecordOf<Name> ? RecordOf<Name>[Field] : never);
};

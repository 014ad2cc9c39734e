export * from "./access/entities.ts";
export * from "./access/evaluation.ts";
export * from "./access/evaluations.ts";
export * from "./access/policies.ts";
export * from "./access/search.ts";
export * from "./caller.ts";
export * from "./capture/delete-nodes.ts";
export * from "./capture/delete-relationships.ts";
export { captureLimits } from "./capture/limits.ts";
export { NodeRef } from "./capture/node-ref.ts";
export { Metadata, Property } from "./capture/property.ts";
export { CaptureResults, PutNodeResult } from "./capture/results.ts";
export { PutNodeRequest, UpsertNode, UpsertNodesRequest } from "./capture/upsert-nodes.ts";
export {
  discriminatingEntry,
  RelationshipProperty,
  UpsertRelationship,
  UpsertRelationshipsRequest,
} from "./capture/upsert-relationships.ts";
export type { Scalar, Value } from "./capture/value.ts";
export * from "./ciq/execute.ts";
export * from "./gid.ts";
export * from "./instant.ts";
export * from "./names.ts";
export * from "./operations.ts";
export * from "./parse.ts";
export * from "./permissions.ts";
export * from "./problems.ts";
export * from "./records/application-agent-credential.ts";
export * from "./records/application-agent.ts";
export * from "./records/application.ts";
export * from "./records/audit-signing.ts";
export * from "./records/authorization-policy.ts";
export * from "./records/change.ts";
export * from "./records/claims-mapping.ts";
export { maxLiveCredentials } from "./records/credential.ts";
export { aliasMapping, type DbConnection } from "./records/db-connection.ts";
export type { BodyOf, ChangeOf, Field, Fields, RecordDescription } from "./records/description.ts";
export { recordDescriptions } from "./records/descriptions.ts";
export * from "./records/external-data-resolver.ts";
export { gidOf, recordName, type RecordStatus, recordStatus } from "./records/fields.ts";
export type { RecordKind } from "./records/kinds.ts";
export * from "./records/knowledge-query.ts";
export * from "./records/mcp-server.ts";
export * from "./records/organization.ts";
export { type IkgStatus, projectCollection, ProjectRecord, region } from "./records/project.ts";
export * from "./records/public-jwk.ts";
export * from "./records/service-account-credential.ts";
export * from "./records/service-account.ts";
export * from "./records/token-introspect.ts";
export * from "./records/trust-score-profile.ts";

export * from "./access/entities.ts";
export * from "./access/evaluation.ts";
export * from "./access/evaluations.ts";
export * from "./access/explanation.ts";
export * from "./access/policies.ts";
export * from "./access/search.ts";
export * from "./administration.ts";
export * from "./administrator.ts";
export * from "./authoring/changes.ts";
export * from "./authoring/preview.ts";
export * from "./authoring/replay.ts";
export * from "./authoring/simulation.ts";
export * from "./authoring/version-conflict.ts";
export * from "./caller.ts";
export * from "./capture/data-schema.ts";
export * from "./capture/delete-nodes.ts";
export * from "./capture/delete-relationships.ts";
export * from "./capture/graph-export.ts";
export * from "./capture/imports.ts";
export { captureLimits } from "./capture/limits.ts";
export { NodeRef } from "./capture/node-ref.ts";
export { Metadata, namedMetadata, Property } from "./capture/property.ts";
export { CaptureResults, PutNodeResult, SkippedItem, UpsertResults } from "./capture/results.ts";
export { type OnMissing } from "./capture/on-missing.ts";
export { PutNodeRequest, UpsertNode, UpsertNodesRequest } from "./capture/upsert-nodes.ts";
export {
  discriminatingEntry,
  RelationshipProperty,
  UpsertRelationship,
  UpsertRelationshipsRequest,
} from "./capture/upsert-relationships.ts";
export * from "./ciq/execute.ts";
export * from "./ciq/explanation.ts";
export * from "./ciq/page-token.ts";
export * from "./ciq/resolver-reasons.ts";
export * from "./ciq/whoami.ts";
export * from "./gid.ts";
export * from "./graph/neighbours.ts";
export {
  GraphNodeQuery,
  GraphNodesQuery,
  NodeSummaries,
  NodeSummary,
  NodeTrustScore,
  ReadProperty,
  WholeNode,
} from "./graph/nodes.ts";
export * from "./instant.ts";
export * from "./names.ts";
export * from "./operations.ts";
export * from "./parse.ts";
export * from "./permission-roles.ts";
export * from "./permissions.ts";
export * from "./problems.ts";
export * from "./records/application-agent-credential.ts";
export * from "./records/application-agent.ts";
export * from "./records/application.ts";
export * from "./records/audit-signing.ts";
export * from "./records/authorization-policy.ts";
export * from "./records/change-announcement.ts";
export * from "./records/claims-mapping.ts";
export { clearedFields } from "./records/cleared-fields.ts";
export { maxLiveCredentials } from "./records/credential.ts";
export { aliasMapping, type DbConnection, globalLocation } from "./records/db-connection.ts";
export type {
  BodyOf,
  UpdateOf,
  ContentField,
  Field,
  Fields,
  RecordDescription,
} from "./records/description.ts";
export { recordDescriptions } from "./records/all-records.ts";
export * from "./records/external-data-resolver.ts";
export { gidOf, kindText, recordName, type RecordStatus } from "./records/fields.ts";
export type { RecordKind } from "./records/kinds.ts";
export * from "./records/knowledge-query.ts";
export * from "./records/mcp-server.ts";
export * from "./records/organization.ts";
export { type IkgStatus, projectCollection, ProjectRecord, region } from "./records/project.ts";
export * from "./records/project-limits.ts";
export * from "./records/public-jwk.ts";
export * from "./records/role-binding.ts";
export * from "./records/service-account-credential.ts";
export * from "./records/service-account.ts";
export * from "./records/token-introspect.ts";
export * from "./records/trust-score-profile.ts";
export { isHeaderText, isOverriddenHeader, parseHeaderTemplate } from "./resolvers/header-template.ts";
export { isTooDeep } from "./resolvers/json-depth.ts";
export { parsePayloadTemplate, type PayloadTemplate } from "./resolvers/payload-template.ts";
export { nodePropertyOf, type Parsed, type Piece, type Placeholder } from "./resolvers/placeholder.ts";
export { parseSelector, type Selector } from "./resolvers/selector.ts";
export { parseUrlTemplate, type UrlTemplate } from "./resolvers/url-template.ts";
export * from "./roles.ts";
export { stringOrUndefined } from "./string-or-undefined.ts";
export * from "./suite-status.ts";
export * from "./values/index.ts";

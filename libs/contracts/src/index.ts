export * from "./access/entities.ts";
export * from "./access/evaluation.ts";
export * from "./access/search.ts";
export * from "./caller.ts";
export { captureLimits } from "./capture/limits.ts";
export { NodeRef } from "./capture/node-ref.ts";
export { Metadata, Property } from "./capture/property.ts";
export { CaptureResults } from "./capture/results.ts";
export { UpsertNode, UpsertNodesRequest } from "./capture/upsert-nodes.ts";
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
export * from "./records/authorization-policy.ts";
export * from "./records/change.ts";
export * from "./records/claims-mapping.ts";
export { gidOf, recordName, type RecordStatus, recordStatus } from "./records/fields.ts";
export * from "./records/knowledge-query.ts";
export * from "./records/organization.ts";
export { CreateProject, type IkgStatus, ProjectRecord, region } from "./records/project.ts";
export * from "./records/public-jwk.ts";
export * from "./records/token-introspect.ts";

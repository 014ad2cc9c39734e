/**
 * Where configuration records live: one node per record with the label of its collection besides
 * `recordLabel`, one node per older version, and relationships for containment and use. Written by the
 * configs service alone; read by every other through auth and catalog.
 */
export const recordLabel = "_Record";

/** Label of a record's former states. */
export const versionLabel = "_RecordVersion";

/** A former state belongs to its record, and goes with it. */
export const versionOf = "_VERSION_OF";

/** The unique key of a record's former state: property `version_key`. */
export const versionKey = (recordId: string, version: number): string => `${recordId}@${version}`;

/**
 * Label of a node that counts the records of a project, or those of an organization that no project contains: a property for each
 * kind, and their bytes. Its `key` is the gid of the project or organization.
 */
export const recordUsageLabel = "_RecordUsage";

/** Containment: a record is part of its parent; deleting the parent deletes the part. */
export const partOf = "_PART_OF";

/** A role binding with whom it is about or with the project that it is about: it goes with them. */
export const boundTo = "_BOUND_TO";

/** Use: a record that another one uses cannot be deleted. */
export const uses = "_USES";

/**
 * Label of a note that the graph data of a deleted project is still to be removed; property `pk`, or `project_id` and
 * the sealed `connection` of a project with a database of its own. Written in the transaction that deletes the project,
 * removed when nothing of the project is left.
 */
export const graphRemovalLabel = "_GraphRemoval";

/**
 * Label of a project whose own database does not yet hold what its records say: it is to be prepared, or system nodes
 * are to be written. Set by the transaction that changes the record, removed when the database has followed.
 */
export const graphOutOfSyncLabel = "_GraphBehind";

/** Property of such a project: grows with every change that its database has to follow. */
export const graphGeneration = "graph_generation";

/**
 * Collections of configuration records; the label of a record is `_` and its kind in Pascal case. That of an application
 * is longer, because `_Application` is the type of its system node (`systemTypes`).
 */
export const recordLabels = {
  organization: "_Organization",
  project: "_Project",
  service_account: "_ServiceAccount",
  service_account_credential: "_ServiceAccountCredential",
  application: "_ApplicationRecord",
  application_agent: "_ApplicationAgent",
  application_agent_credential: "_ApplicationAgentCredential",
  authorization_policy: "_AuthorizationPolicy",
  knowledge_query: "_KnowledgeQuery",
  token_introspect: "_TokenIntrospect",
  trust_score_profile: "_TrustScoreProfile",
  external_data_resolver: "_ExternalDataResolver",
  mcp_server: "_McpServer",
  audit_signing: "_AuditSigning",
  role_binding: "_RoleBinding",
} as const;

export type RecordLabelKind = keyof typeof recordLabels;

/**
 * Properties of every record's node. Fields of the collection itself stand in `data` as JSON text; what other
 * processes look up or filter by has a property of its own below.
 */
export const recordProperties = [
  "id",
  "kind",
  "organization_id",
  "project_id",
  "parent_id",
  "name",
  "display_name",
  "description",
  "version",
  "etag",
  "create_time",
  "update_time",
  "created_by",
  "updated_by",
  "data",
  "content_bytes",
] as const;

/** Properties that single collections have besides: whatever is looked up or filtered by. */
export const lookUpProperties = {
  /** Unique among all records: `<kind>/<scope id>/<name>`. */
  nameKey: "name_key",
  /** Unique among all records: what a collection allows once besides the name. */
  uniqueKey: "unique_key",
  /** Credentials: public key id, unique among all records; HMAC of the token; end of life, if any. */
  kid: "kid",
  tokenHash: "token_hash",
  expireTime: "expire_time",
  agentId: "agent_id",
  serviceAccountId: "service_account_id",
  /**
   * Projects: key in the shared graph, absent with a database of its own; state of the graph, why it FAILED, and the
   * attempt to prepare it that counts, which begins with its time.
   */
  projectKey: "pk",
  ikgStatus: "ikg_status",
  ikgStatusReason: "ikg_status_reason",
  graphAttempt: "graph_attempt",
  /** Projects: what for, where that is not the ordinary use. */
  purpose: "purpose",
  /** Policies and queries: life cycle, and the text as its author wrote it, apart from `data` because it is large. */
  status: "status",
  text: "text",
  /** Policies: `kbac` or `ciq`; absent on a draft that is neither. */
  policyKind: "policy_kind",
} as const;

/** What the `name_key` of a record is: one name per collection and scope. */
export const nameKey = (kind: RecordLabelKind, scopeId: string, name: string): string =>
  `${kind}/${scopeId}/${name}`;

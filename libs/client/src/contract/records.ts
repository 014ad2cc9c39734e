/**
 * Made from libs/contracts by libs/client/generate; do not edit.
 * `npm run generate` writes it anew.
 */
/** /projects: a record as it is read. */
export interface ProjectRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  organization_id: string;
  region: string;
  ikg_size:
    | "2GB"
    | "4GB"
    | "8GB"
    | "16GB"
    | "32GB"
    | "64GB"
    | "128GB"
    | "192GB"
    | "256GB"
    | "384GB"
    | "512GB";
  replica_region?: string | undefined;
  purpose?: "TEST" | undefined;
  db_connection?:
    | {
        url: string;
        username: string;
        name?: string | undefined;
        composite_db_name?: string | undefined;
        alias_mapping?: string | undefined;
        constituents?:
          | Record<string, { url: string; username: string; name?: string | undefined }>
          | undefined;
      }
    | undefined;
  limits?:
    | {
        requests_per_second?: number | undefined;
        requests_in_flight?: number | undefined;
        concurrent_statements?: number | undefined;
        database_ms_per_second?: number | undefined;
        page_bytes?: number | undefined;
        property_names?: number | undefined;
        relationship_types?: number | undefined;
        node_types?: number | undefined;
        imports_waiting?: number | undefined;
        import_bytes?: number | undefined;
        import_stored_bytes?: number | undefined;
        import_rows_per_second?: number | undefined;
        rejected_lines?: number | undefined;
        sessions?: number | undefined;
        records?: number | undefined;
        authorization_policies?: number | undefined;
        knowledge_queries?: number | undefined;
        trust_score_profiles?: number | undefined;
        configuration_bytes?: number | undefined;
        change_bytes?: number | undefined;
        audit_waiting_bytes?: number | undefined;
      }
    | undefined;
  effective_limits: {
    requests_per_second: number;
    requests_in_flight: number;
    concurrent_statements: number;
    database_ms_per_second: number;
    page_bytes: number;
    property_names: number;
    relationship_types: number;
    node_types: number;
    imports_waiting: number;
    import_bytes: number;
    import_stored_bytes: number;
    import_rows_per_second: number;
    rejected_lines: number;
    sessions: number;
    records: number;
    authorization_policies: number;
    knowledge_queries: number;
    trust_score_profiles: number;
    configuration_bytes: number;
    change_bytes: number;
    audit_waiting_bytes: number;
  };
  ikg_status: "PENDING" | "ACTIVE" | "FAILED";
  ikg_status_reason?: string | undefined;
}

/** A new record. `organization_id` is that of the client when it is absent. */
export interface NewProject {
  /** gid of the organization that contains it */
  organization_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** 2-63 lower-case letters, digits and hyphens; absent: the service's default; has no effect on placement */
  region?: string | undefined;
  /** 2GB, 4GB, 8GB, 16GB, 32GB, 64GB, 128GB, 192GB, 256GB, 384GB, 512GB; has no effect */
  ikg_size?:
    | "2GB"
    | "4GB"
    | "8GB"
    | "16GB"
    | "32GB"
    | "64GB"
    | "128GB"
    | "192GB"
    | "256GB"
    | "384GB"
    | "512GB"
    | undefined;
  /** as region; must differ from it */
  replica_region?: string | undefined;
  /** TEST: a project of policy tests, which takes no part in schedules; absent: an ordinary one */
  purpose?: "TEST" | undefined;
  /** a database of the project's own: url, username, password, and optionally name, composite_db_name with alias_mapping, constituents; passwords never come back */
  db_connection?:
    | {
        url: string;
        username: string;
        password: string;
        name?: string | undefined;
        composite_db_name?: string | undefined;
        alias_mapping?: string | undefined;
        constituents?:
          | Record<string, { url: string; username: string; password: string; name?: string | undefined }>
          | undefined;
      }
    | undefined;
  /** limits of this project that differ from those of the installation: requests_per_second, requests_in_flight, concurrent_statements, database_ms_per_second, page_bytes, property_names, relationship_types, node_types, imports_waiting, import_bytes, import_stored_bytes, import_rows_per_second, rejected_lines, sessions, records, authorization_policies, knowledge_queries, trust_score_profiles, configuration_bytes, change_bytes, audit_waiting_bytes; whole numbers up to the operator's maximum; `{}` removes them */
  limits?:
    | {
        requests_per_second?: number | undefined;
        requests_in_flight?: number | undefined;
        concurrent_statements?: number | undefined;
        database_ms_per_second?: number | undefined;
        page_bytes?: number | undefined;
        property_names?: number | undefined;
        relationship_types?: number | undefined;
        node_types?: number | undefined;
        imports_waiting?: number | undefined;
        import_bytes?: number | undefined;
        import_stored_bytes?: number | undefined;
        import_rows_per_second?: number | undefined;
        rejected_lines?: number | undefined;
        sessions?: number | undefined;
        records?: number | undefined;
        authorization_policies?: number | undefined;
        knowledge_queries?: number | undefined;
        trust_score_profiles?: number | undefined;
        configuration_bytes?: number | undefined;
        change_bytes?: number | undefined;
        audit_waiting_bytes?: number | undefined;
      }
    | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface ProjectUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** a database of the project's own: url, username, password, and optionally name, composite_db_name with alias_mapping, constituents; passwords never come back */
  db_connection?:
    | {
        url: string;
        username: string;
        password: string;
        name?: string | undefined;
        composite_db_name?: string | undefined;
        alias_mapping?: string | undefined;
        constituents?:
          | Record<string, { url: string; username: string; password: string; name?: string | undefined }>
          | undefined;
      }
    | undefined;
  /** limits of this project that differ from those of the installation: requests_per_second, requests_in_flight, concurrent_statements, database_ms_per_second, page_bytes, property_names, relationship_types, node_types, imports_waiting, import_bytes, import_stored_bytes, import_rows_per_second, rejected_lines, sessions, records, authorization_policies, knowledge_queries, trust_score_profiles, configuration_bytes, change_bytes, audit_waiting_bytes; whole numbers up to the operator's maximum; `{}` removes them */
  limits?:
    | {
        requests_per_second?: number | undefined;
        requests_in_flight?: number | undefined;
        concurrent_statements?: number | undefined;
        database_ms_per_second?: number | undefined;
        page_bytes?: number | undefined;
        property_names?: number | undefined;
        relationship_types?: number | undefined;
        node_types?: number | undefined;
        imports_waiting?: number | undefined;
        import_bytes?: number | undefined;
        import_stored_bytes?: number | undefined;
        import_rows_per_second?: number | undefined;
        rejected_lines?: number | undefined;
        sessions?: number | undefined;
        records?: number | undefined;
        authorization_policies?: number | undefined;
        knowledge_queries?: number | undefined;
        trust_score_profiles?: number | undefined;
        configuration_bytes?: number | undefined;
        change_bytes?: number | undefined;
        audit_waiting_bytes?: number | undefined;
      }
    | undefined;
}

/** /applications: a record as it is read. */
export interface ApplicationRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewApplication {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface ApplicationUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
}

/** /application-agents: a record as it is read. */
export interface ApplicationAgentRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  application_id: string;
  api_permissions: (
    | "Authorization"
    | "Capture"
    | "ContXIQ"
    | "EntityMatching"
    | "ReadAuthZConfigs"
    | "ReadDataSchema"
    | "Audit"
    | "IKGRead"
    | "ReadGraph"
  )[];
}

/** A new record. */
export interface NewApplicationAgent {
  /** gid of the application that contains it */
  application_id: string;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** at least one of Authorization, Capture, ContXIQ, EntityMatching, ReadAuthZConfigs, ReadDataSchema, Audit, IKGRead, ReadGraph; order is kept, duplicates are removed */
  api_permissions: readonly (
    | "Authorization"
    | "Capture"
    | "ContXIQ"
    | "EntityMatching"
    | "ReadAuthZConfigs"
    | "ReadDataSchema"
    | "Audit"
    | "IKGRead"
    | "ReadGraph"
  )[];
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface ApplicationAgentUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** at least one of Authorization, Capture, ContXIQ, EntityMatching, ReadAuthZConfigs, ReadDataSchema, Audit, IKGRead, ReadGraph; order is kept, duplicates are removed */
  api_permissions?:
    | readonly (
        | "Authorization"
        | "Capture"
        | "ContXIQ"
        | "EntityMatching"
        | "ReadAuthZConfigs"
        | "ReadDataSchema"
        | "Audit"
        | "IKGRead"
        | "ReadGraph"
      )[]
    | undefined;
}

/** /application-agent-credentials: a record as it is read. */
export interface ApplicationAgentCredentialRecord {
  id: string;
  kid: string;
  display_name: string;
  create_time: string;
  created_by: string;
  expire_time?: string | undefined;
  application_agent_id: string;
  application_id: string;
  project_id: string;
  organization_id: string;
  application_agent_config?:
    | { baseUrl: string; appSpaceId: string; applicationId: string; appAgentId: string; token: string }
    | undefined;
}

/** A new record. */
export interface NewApplicationAgentCredential {
  /** gid of the application agent that contains it */
  application_agent_id: string;
  /** 2-254 characters; shown as the kid when unset */
  display_name?: string | undefined;
  /** RFC 3339 with offset, in the future; never expires if absent */
  expire_time?: string | undefined;
}

/** /service-accounts: a record as it is read. */
export interface ServiceAccountRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  organization_id: string;
  role?: "all_editor" | "all_viewer" | undefined;
}

/** A new record. `organization_id` is that of the client when it is absent. */
export interface NewServiceAccount {
  /** gid of the organization that contains it */
  organization_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** over the organization: `all_editor` may do everything, `all_viewer` may read; absent: only what role bindings give */
  role?: "all_editor" | "all_viewer" | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface ServiceAccountUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
}

/** /service-account-credentials: a record as it is read. */
export interface ServiceAccountCredentialRecord {
  id: string;
  kid: string;
  display_name: string;
  create_time: string;
  created_by: string;
  expire_time?: string | undefined;
  service_account_id: string;
  organization_id: string;
  replaces?: string | undefined;
  overlap_seconds?: number | undefined;
  last_used?: string | undefined;
  service_account_config?: { baseUrl: string; serviceAccountId: string; token: string } | undefined;
}

/** A new record. */
export interface NewServiceAccountCredential {
  /** gid of the service account that contains it */
  service_account_id: string;
  /** 2-254 characters; shown as the kid when unset */
  display_name?: string | undefined;
  /** RFC 3339 with offset, in the future; never expires if absent */
  expire_time?: string | undefined;
  /** gid of a credential of the same service account, which ends after `overlap_seconds` unless it ends before */
  replaces?: string | undefined;
  /** 60-31536000, only with `replaces`; absent: 86400, a day */
  overlap_seconds?: number | undefined;
}

/** /role-bindings: a record as it is read. */
export interface RoleBindingRecord {
  id: string;
  organization_id: string;
  project_id?: string | undefined;
  subject: {
    service_account_id?: string | undefined;
    claim?: string | undefined;
    value?: string | undefined;
  };
  role: "owner" | "editor" | "policy_author" | "viewer" | "data_viewer" | "auditor";
  create_time: string;
  created_by: string;
}

/** A new record. `organization_id` is that of the client when it is absent. */
export interface NewRoleBinding {
  /** gid of the organization that contains it; absent: the caller's */
  organization_id?: string | undefined;
  /** `service_account_id`: a service account of the organization; or `claim` and `value`: every person whose token has the claim with this text, or with a list that has it */
  subject: {
    service_account_id?: string | undefined;
    claim?: string | undefined;
    value?: string | undefined;
  };
  /** owner, editor, policy_author, viewer, data_viewer, auditor; docs/roles.md says what each may do */
  role: "owner" | "editor" | "policy_author" | "viewer" | "data_viewer" | "auditor";
  /** gid of the project that the role is over; absent: the organization with all of its projects */
  project_id?: string | undefined;
}

/** /authorization-policies: a record as it is read. */
export interface AuthorizationPolicyRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  policy: string;
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
  tags: string[];
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewAuthorizationPolicy {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** JSON as a text of 1-512,000 characters, see docs/policy-language.md; a DRAFT may be any text */
  policy: string | Readonly<Record<string, unknown>>;
  /** ACTIVE, INACTIVE, DRAFT; only ACTIVE ones decide */
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
  /** at most 20, each 1-64 characters */
  tags?: readonly string[] | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface AuthorizationPolicyUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** JSON as a text of 1-512,000 characters, see docs/policy-language.md; a DRAFT may be any text */
  policy: string | Readonly<Record<string, unknown>>;
  /** ACTIVE, INACTIVE, DRAFT; only ACTIVE ones decide */
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
  /** at most 20, each 1-64 characters */
  tags?: readonly string[] | undefined;
}

/** /trust-score-profiles: a record as it is read. */
export interface TrustScoreProfileRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  node_classification: string;
  schedule: "THREE_HOURS" | "SIX_HOURS" | "TWELVE_HOURS" | "DAILY";
  dimensions: {
    name: "VALIDITY" | "VERIFICATION" | "FRESHNESS" | "ORIGIN" | "COMPLETENESS";
    weight: number;
  }[];
  last_run_id: string;
  last_run_start_time: string;
  last_run_end_time: string;
  dimensions_execution_times?:
    | Record<string, { execution_start_time: string; execution_end_time: string }>
    | undefined;
  current_run?: { run_id: string; start_time: string; scored: number; total: number } | undefined;
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewTrustScoreProfile {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** node type of 2-64 letters, digits and underscores, a letter first; one profile per type of a project */
  node_classification: string;
  /** THREE_HOURS, SIX_HOURS, TWELVE_HOURS, DAILY */
  schedule: "THREE_HOURS" | "SIX_HOURS" | "TWELVE_HOURS" | "DAILY";
  /** at least one of VALIDITY, VERIFICATION, FRESHNESS, ORIGIN, COMPLETENESS, each once, with a weight of 0-1, one above 0; `[]` keeps */
  dimensions: readonly {
    name: "VALIDITY" | "VERIFICATION" | "FRESHNESS" | "ORIGIN" | "COMPLETENESS";
    weight: number;
  }[];
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface TrustScoreProfileUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** THREE_HOURS, SIX_HOURS, TWELVE_HOURS, DAILY */
  schedule?: "THREE_HOURS" | "SIX_HOURS" | "TWELVE_HOURS" | "DAILY" | undefined;
  /** at least one of VALIDITY, VERIFICATION, FRESHNESS, ORIGIN, COMPLETENESS, each once, with a weight of 0-1, one above 0; `[]` keeps */
  dimensions?:
    | readonly {
        name: "VALIDITY" | "VERIFICATION" | "FRESHNESS" | "ORIGIN" | "COMPLETENESS";
        weight: number;
      }[]
    | undefined;
}

/** /external-data-resolvers: a record as it is read. */
export interface ExternalDataResolverRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH";
  headers?: Record<string, string[]> | undefined;
  request_content_type: "JSON";
  request_payload?: string | undefined;
  response_content_type: "JSON";
  response_selector: string;
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewExternalDataResolver {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** http or https, at most 2,048 characters; path and query may hold placeholders such as `{$name || default}` and `{$node.property.name}` (docs/resolvers.md) */
  url: string;
  /** GET, POST, PUT, PATCH */
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** name of letters, digits and hyphens to a text or an array of texts of 1-255 characters, which may hold placeholders; `{}` clears */
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** JSON */
  request_content_type: "JSON";
  /** JSON of at most 65,536 characters; its strings may hold placeholders */
  request_payload?: string | undefined;
  /** JSON */
  response_content_type: "JSON";
  /** JSONPath (RFC 9535) or a path like `.a.b[0]`, 1-255 characters */
  response_selector: string;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface ExternalDataResolverUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** http or https, at most 2,048 characters; path and query may hold placeholders such as `{$name || default}` and `{$node.property.name}` (docs/resolvers.md) */
  url: string;
  /** GET, POST, PUT, PATCH */
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** name of letters, digits and hyphens to a text or an array of texts of 1-255 characters, which may hold placeholders; `{}` clears */
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** JSON */
  request_content_type: "JSON";
  /** JSON of at most 65,536 characters; its strings may hold placeholders */
  request_payload?: string | undefined;
  /** JSON */
  response_content_type: "JSON";
  /** JSONPath (RFC 9535) or a path like `.a.b[0]`, 1-255 characters */
  response_selector: string;
}

/** /token-introspects: a record as it is read. */
export interface TokenIntrospectRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  jwt_matcher?: { issuer: string; audience: string } | undefined;
  opaque_matcher?: { hint: string } | undefined;
  offline_validation?: { public_jwks?: string[] | undefined } | undefined;
  online_validation?:
    | {
        userinfo_endpoint?: string | undefined;
        cache_ttl?: number | undefined;
        introspection_endpoint?: string | undefined;
        client_id?: string | undefined;
      }
    | undefined;
  claims_mapping: Record<string, { selector: string }>;
  sub_claim?: string | { selector: string } | undefined;
  ikg_node_type: string;
  perform_upsert: boolean;
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewTokenIntrospect {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** `{issuer, audience}`: https URL, compared with `iss` as text, and 1-150 characters; unique in the project */
  jwt_matcher?: { issuer: string; audience: string } | undefined;
  /** `{hint}` of 1-50 characters, for tokens that are no JWTs; one in a project; not together with `jwt_matcher` */
  opaque_matcher?: { hint: string } | undefined;
  /** `{public_jwks}`: at most 10 public JWKs, each as JSON text of 96-8,192 characters; without any they are fetched from the issuer */
  offline_validation?: { public_jwks?: readonly string[] | undefined } | undefined;
  /** `{userinfo_endpoint, cache_ttl}` or `{introspection_endpoint, client_id, client_secret, cache_ttl}`; `cache_ttl` 0-3,600 s; not together with `offline_validation`; `client_secret` never comes back */
  online_validation?:
    | {
        userinfo_endpoint?: string | undefined;
        cache_ttl?: number | undefined;
        introspection_endpoint?: string | undefined;
        client_id?: string | undefined;
        client_secret?: string | undefined;
      }
    | undefined;
  /** property name to `{selector}`, the name of a claim */
  claims_mapping?: Readonly<Record<string, { selector: string }>> | undefined;
  /** claim that names the subject, 1-200 characters or `{selector}`; `sub` when unset */
  sub_claim?: string | { selector: string } | undefined;
  /** node type of 2-64 characters */
  ikg_node_type: string;
  /** true: the node of the subject is written from the mapped claims */
  perform_upsert?: boolean | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface TokenIntrospectUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** `{issuer, audience}`: https URL, compared with `iss` as text, and 1-150 characters; unique in the project */
  jwt_matcher?: { issuer: string; audience: string } | undefined;
  /** `{hint}` of 1-50 characters, for tokens that are no JWTs; one in a project; not together with `jwt_matcher` */
  opaque_matcher?: { hint: string } | undefined;
  /** `{public_jwks}`: at most 10 public JWKs, each as JSON text of 96-8,192 characters; without any they are fetched from the issuer */
  offline_validation?: { public_jwks?: readonly string[] | undefined } | undefined;
  /** `{userinfo_endpoint, cache_ttl}` or `{introspection_endpoint, client_id, client_secret, cache_ttl}`; `cache_ttl` 0-3,600 s; not together with `offline_validation`; `client_secret` never comes back */
  online_validation?:
    | {
        userinfo_endpoint?: string | undefined;
        cache_ttl?: number | undefined;
        introspection_endpoint?: string | undefined;
        client_id?: string | undefined;
        client_secret?: string | undefined;
      }
    | undefined;
  /** property name to `{selector}`, the name of a claim */
  claims_mapping?: Readonly<Record<string, { selector: string }>> | undefined;
  /** claim that names the subject, 1-200 characters or `{selector}`; `sub` when unset */
  sub_claim?: string | { selector: string } | undefined;
  /** node type of 2-64 characters */
  ikg_node_type: string;
  /** true: the node of the subject is written from the mapped claims */
  perform_upsert?: boolean | undefined;
}

/** /knowledge-queries: a record as it is read. */
export interface KnowledgeQueryRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  policy_id: string;
  query: string;
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewKnowledgeQuery {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** gid of a CIQ policy of the same project */
  policy_id: string;
  /** JSON as a text of 1-512,000 characters, see docs/policy-language.md; a DRAFT may be any text */
  query: string | Readonly<Record<string, unknown>>;
  /** ACTIVE, INACTIVE, DRAFT; only ACTIVE ones are executed */
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface KnowledgeQueryUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** gid of a CIQ policy of the same project */
  policy_id: string;
  /** JSON as a text of 1-512,000 characters, see docs/policy-language.md; a DRAFT may be any text */
  query: string | Readonly<Record<string, unknown>>;
  /** ACTIVE, INACTIVE, DRAFT; only ACTIVE ones are executed */
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
}

/** /mcp-servers: a record as it is read. */
export interface McpServerRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  app_agent_id: string;
  token_introspect_id: string;
  enabled: boolean;
  scopes_supported: string[];
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewMcpServer {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** gid of an application agent of the same project */
  app_agent_id: string;
  /** gid of a token introspect of the same project */
  token_introspect_id: string;
  /** true or false */
  enabled: boolean;
  /** at least one, each 1-256 characters */
  scopes_supported: readonly string[];
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface McpServerUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** gid of an application agent of the same project */
  app_agent_id: string;
  /** gid of a token introspect of the same project */
  token_introspect_id: string;
  /** true or false */
  enabled: boolean;
  /** at least one, each 1-256 characters */
  scopes_supported: readonly string[];
}

/** /audit-signings: a record as it is read. */
export interface AuditSigningRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
  project_id: string;
  organization_id: string;
  provider: "PLATFORM_MANAGED" | "CUSTOMER_GCP_KMS" | "CUSTOMER_AWS_KMS" | "CUSTOMER_AZURE_KEY_VAULT";
  key_resource?: string | undefined;
  kid?: string | undefined;
  auth_params?: Record<string, ""> | undefined;
}

/** A new record. `project_id` is that of the client when it is absent. */
export interface NewAuditSigning {
  /** gid of the project that contains it */
  project_id?: string | undefined;
  /** 2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent */
  name: string;
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** PLATFORM_MANAGED, CUSTOMER_GCP_KMS, CUSTOMER_AWS_KMS, CUSTOMER_AZURE_KEY_VAULT */
  provider: "PLATFORM_MANAGED" | "CUSTOMER_GCP_KMS" | "CUSTOMER_AWS_KMS" | "CUSTOMER_AZURE_KEY_VAULT";
  /** 1-256 characters; required for customer providers, refused for PLATFORM_MANAGED */
  key_resource?: string | undefined;
  /** 1-256 characters; required for customer providers, refused for PLATFORM_MANAGED */
  kid?: string | undefined;
  /** at most 32 pairs of texts of 1-256 characters; values come back as `""`; absent with the same provider keeps, `{}` clears */
  auth_params?: Readonly<Record<string, string>> | undefined;
}

/** What an update may state; the rules say what becomes of absent fields. */
export interface AuditSigningUpdate {
  /** 2-254 characters; shown as the name when unset */
  display_name?: string | undefined;
  /** 2-65,000 characters */
  description?: string | undefined;
  /** PLATFORM_MANAGED, CUSTOMER_GCP_KMS, CUSTOMER_AWS_KMS, CUSTOMER_AZURE_KEY_VAULT */
  provider: "PLATFORM_MANAGED" | "CUSTOMER_GCP_KMS" | "CUSTOMER_AWS_KMS" | "CUSTOMER_AZURE_KEY_VAULT";
  /** 1-256 characters; required for customer providers, refused for PLATFORM_MANAGED */
  key_resource?: string | undefined;
  /** 1-256 characters; required for customer providers, refused for PLATFORM_MANAGED */
  kid?: string | undefined;
  /** at most 32 pairs of texts of 1-256 characters; values come back as `""`; absent with the same provider keeps, `{}` clears */
  auth_params?: Readonly<Record<string, string>> | undefined;
}

/**
 * Made from libs/contracts by libs/client/generate; do not edit.
 * `npm run generate` writes it anew.
 */

/** A stored value: a scalar, or a list of one kind of scalar. */
export type Value = string | number | boolean | readonly (string | number | boolean)[];

/** A row of a knowledge query: values under the query's paths. */
export type ResultRow = QueryPage["data"][number];

/** An audit record, as the export hands it out. */
export interface AuditRecord {
  readonly type: string;
  readonly id: string;
  readonly [member: string]: unknown;
}
/** A subject or resource: a node by its type and external id. */
export interface Entity {
  type: string;
  id: string;
  properties?: Record<string, unknown> | undefined;
}

/** A subject or resource that is searched for. */
export interface EntityType {
  type: string;
  properties?: Record<string, unknown> | undefined;
}

/** What a subject wants to do. */
export interface Action {
  name: string;
  properties?: Record<string, unknown> | undefined;
}

/** What a policy may read besides the graph. */
export interface Context {
  input_params?: Record<string, unknown> | undefined;
  policy_tags?: readonly string[] | undefined;
  [key: string]: unknown;
}

/** A decision. `context` is there only when there is something to report. */
export interface Decision {
  decision: boolean;
  context?:
    | {
        reason?: string | undefined;
        advice?: Record<string, string>[] | undefined;
        explanation?: Explanation | undefined;
      }
    | undefined;
}

/** The outcome of each policy for a question, and why. */
export interface Explanation {
  granted_by?: { id: string; name: string; version: number } | undefined;
  candidates: CandidateExplanation[];
  omitted?: number | undefined;
  milliseconds: number;
}

/** The outcome of one policy for a question. */
export interface CandidateExplanation {
  policy: { id: string; name: string; version: number };
  outcome:
    | "granted"
    | "filter_not_satisfied"
    | "pattern_not_matched"
    | "parameter_missing"
    | "wrong_location"
    | "unknown";
  filter?:
    | {
        path: string;
        operator: string;
        attribute?: unknown;
        value?: unknown;
        compares?: "instants" | undefined;
        negated?: boolean | undefined;
        token_missing: boolean;
      }
    | undefined;
  parameters?: string[] | undefined;
  location?: string[] | undefined;
  missing?: ("subject" | "resource")[] | undefined;
  identity_required?: boolean | undefined;
  part?: PatternPart | undefined;
  path?:
    | {
        nodes: { type: string; id: string }[];
        relationships: {
          type: string;
          source: { type: string; id: string };
          target: { type: string; id: string };
        }[];
      }
    | undefined;
  statements: number;
  database_hits: number;
}

/** A part of a policy's pattern, by its place in the author's text. */
export interface PatternPart {
  kind: "clause" | "node" | "hop" | "predicate";
  text: string;
  from: { line: number; column: number };
  to: { line: number; column: number };
  certain: boolean;
}

/** A page of a search for subjects or resources. */
export interface SearchResults {
  page?: { next_token: string; count: number; total?: number | undefined } | undefined;
  results: { type: string; id: string }[];
  context?: { complete: false } | undefined;
}

/** A page of a search for actions. */
export interface ActionResults {
  page?: { next_token: string; count: number; total?: number | undefined } | undefined;
  results: { name: string }[];
  context?:
    | {
        explanation: {
          action: string;
          granted_by?: { id: string; name: string; version: number } | undefined;
          candidates: CandidateExplanation[];
          omitted?: number | undefined;
          milliseconds: number;
        }[];
      }
    | undefined;
}

/** Active policies as their authors wrote them. */
export interface ActivePolicies {
  results: { policy: Record<string, unknown>; tags: string[] }[];
}

/** A page of rows of a knowledge query. */
export interface QueryPage {
  data: {
    nodes: Record<string, unknown>;
    relationships?: Record<string, unknown> | undefined;
    aggregate_values?: Record<string, unknown> | undefined;
  }[];
  next_page_token?: number | undefined;
  errors?:
    | {
        row: number;
        path: string;
        resolver: string;
        reason:
          | "resolver_not_found"
          | "missing_param"
          | "blocked_address"
          | "upstream_timeout"
          | "upstream_unreachable"
          | "upstream_status"
          | "content_type_mismatch"
          | "invalid_json"
          | "response_too_large"
          | "selector_no_match"
          | "circuit_open"
          | "limit_exceeded";
      }[]
    | undefined;
  explanation?: QueryExplanation | undefined;
}

/** Why a knowledge query answered what it answered. */
export interface QueryExplanation {
  policy: { id: string; name: string; version: number };
  query: { id: string; name: string; version: number };
  outcome: "rows" | "filter_not_satisfied" | "pattern_not_matched" | "unknown";
  missing?: "subject"[] | undefined;
  part?: PatternPart | undefined;
  filter?:
    | {
        path: string;
        operator: string;
        attribute?: unknown;
        value?: unknown;
        compares?: "instants" | undefined;
        certain: boolean;
      }
    | undefined;
  rows?:
    | {
        pattern: number;
        filters: {
          path: string;
          operator: string;
          attribute?: unknown;
          value?: unknown;
          compares?: "instants" | undefined;
          before: number;
          after: number;
          leaves?:
            | {
                path: string;
                operator: string;
                attribute?: unknown;
                value?: unknown;
                compares?: "instants" | undefined;
                rows: number;
              }[]
            | undefined;
        }[];
      }
    | undefined;
  statement?: { rows: number; database_hits: number; milliseconds: number } | undefined;
  written?:
    | {
        list: "upsert_nodes" | "upsert_relationships" | "delete_nodes" | "delete_relationships";
        entry: string;
        elements: number;
      }[]
    | undefined;
  resolvers?:
    | {
        resolver: string;
        outcome:
          | "resolved"
          | "resolver_not_found"
          | "missing_param"
          | "blocked_address"
          | "upstream_timeout"
          | "upstream_unreachable"
          | "upstream_status"
          | "content_type_mismatch"
          | "invalid_json"
          | "response_too_large"
          | "selector_no_match"
          | "circuit_open"
          | "limit_exceeded";
        milliseconds: number;
      }[]
    | undefined;
  statements: number;
  database_hits: number;
  milliseconds: number;
}

/** The node that a person's token stands for. */
export interface Identity {
  type: string;
  id: string;
}

/** A node by its type and external id. */
export interface NodeRef {
  external_id: string;
  type: string;
  location?: string | undefined;
}

/** What is known of the value of a property. */
export interface Metadata {
  verified_time?: string | undefined;
  source?: string | undefined;
  assurance_level?: 1 | 2 | 3 | undefined;
  custom_metadata?: Readonly<Record<string, Value>> | undefined;
}

/** A property of a node: exactly one of `value` and `external_value`. */
export interface Property {
  type: string;
  value?: Value | undefined;
  external_value?: string | undefined;
  metadata?: Metadata | undefined;
}

/** A node to write. */
export interface GraphNode {
  external_id: string;
  type: string;
  location?: string | undefined;
  is_identity?: boolean | undefined;
  labels?: readonly string[] | undefined;
  properties?: readonly Property[] | undefined;
}

/** What may be written of a node that exists. */
export interface NodeContent {
  is_identity?: boolean | undefined;
  labels?: readonly string[] | undefined;
  properties?: readonly Property[] | undefined;
}

/** A property of a relationship. */
export interface RelationshipProperty {
  type: string;
  value: Value;
}

/** A relationship to write. */
export interface GraphRelationship {
  source: NodeRef;
  target: NodeRef;
  type: string;
  properties?: readonly RelationshipProperty[] | undefined;
}

/** A relationship to delete. */
export interface RelationshipRef {
  source: NodeRef;
  target: NodeRef;
  type: string;
  properties?: readonly RelationshipProperty[] | undefined;
}

/** Properties of a node to delete. */
export interface NodeProperties {
  external_id: string;
  type: string;
  location?: string | undefined;
  property_types: readonly string[];
}

/** Metadata of a property of a node to delete. */
export interface NodeMetadata {
  external_id: string;
  type: string;
  location?: string | undefined;
  property_type: string;
  metadata_fields: readonly string[];
}

/** Properties of a relationship to delete. */
export interface RelationshipProperties {
  source: NodeRef;
  target: NodeRef;
  type: string;
  properties?: readonly RelationshipProperty[] | undefined;
  property_types: readonly string[];
}

/** An item that was left out: its index, and why. */
export interface SkippedItem {
  index: number;
  reason: string;
}

/** One result for each item, in the order of the items. */
export interface UpsertResults {
  results: { id: string }[];
  skipped?: SkippedItem[] | undefined;
}

/** The node that was written. */
export interface PutNodeResult {
  id: string;
}

/** The state of an import. Numbers count lines. */
export interface Import {
  id: string;
  status: "receiving" | "queued" | "running" | "done" | "cancelled" | "failed";
  create_time: string;
  start_time?: string | undefined;
  end_time?: string | undefined;
  reason?: string | undefined;
  lines: number;
  nodes: { total: number; written: number };
  relationships: { total: number; written: number };
  rejected: { count: number; not_kept?: number | undefined; href?: string | undefined };
  percent: number;
  rows_per_second: number;
}

/** A page of lines that were not written. */
export interface RejectedLines {
  data: { line: number; errors: string[] }[];
  next_href?: string | undefined;
}

/** Statistics of a project's graph in JSON Graph Format. */
export interface DataSchema {
  graph: {
    directed: true;
    metadata: { created_at: string; updated_at: string };
    nodes: Record<
      string,
      {
        metadata: {
          node_count: number;
          properties: Record<
            string,
            {
              count: number;
              types: {
                type: "string" | "integer" | "float" | "boolean" | "array" | "external";
                count: number;
              }[];
              metadata?:
                | Record<
                    string,
                    {
                      count: number;
                      types: {
                        type: "string" | "integer" | "float" | "boolean" | "array" | "external";
                        count: number;
                      }[];
                    }
                  >
                | undefined;
            }
          >;
          system_labels: { name: string; count: number }[];
          user_defined_labels: { name: string; count: number }[];
        };
      }
    >;
    edges: {
      source: string;
      target: string;
      relation: string;
      directed: true;
      metadata: {
        count: number;
        properties: Record<
          string,
          {
            count: number;
            types: {
              type: "string" | "integer" | "float" | "boolean" | "array" | "external";
              count: number;
            }[];
          }
        >;
      };
    }[];
  };
}

/** A node as lists have it, without its properties. */
export interface NodeSummary {
  type: string;
  external_id: string;
  id: string;
  is_identity: boolean;
  labels: string[];
  location?: string | undefined;
  create_time?: string | undefined;
  update_time?: string | undefined;
}

/** A property of a node as it is stored. */
export interface ReadProperty {
  type: string;
  value?: Value | undefined;
  external_value?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  update_time?: string | undefined;
}

/** Trust scores of a node; null for a dimension without a score. */
export interface NodeTrustScore {
  _final_score: number;
  _validity: number;
  _verification: number;
  _freshness: number;
  _origin: number;
  _completeness: number;
  profile_id: string;
  update_time: string;
}

/** Everything that is stored of a node. */
export interface WholeNode {
  type: string;
  external_id: string;
  id: string;
  is_identity: boolean;
  labels: string[];
  location?: string | undefined;
  create_time?: string | undefined;
  update_time?: string | undefined;
  properties: ReadProperty[];
  trust_score?: NodeTrustScore | undefined;
}

/** A relationship of a node with the node at its other end. */
export interface Neighbour {
  relationship: {
    type: string;
    direction: "out" | "in";
    properties: { type: string; value?: unknown }[];
    create_time?: string | undefined;
    update_time?: string | undefined;
  };
  node: NodeSummary;
}

/** Who administers, and with which roles. */
export type Administrator =
  | {
      type: "service_account";
      id: string;
      name: string;
      organization_id: string;
      roles: {
        role: "owner" | "editor" | "policy_author" | "viewer" | "data_viewer" | "auditor" | "all_viewer";
        project_id?: string | undefined;
      }[];
    }
  | {
      type: "user";
      issuer: string;
      sub: string;
      name?: string | undefined;
      organization_id: string;
      roles: {
        role: "owner" | "editor" | "policy_author" | "viewer" | "data_viewer" | "auditor" | "all_viewer";
        project_id?: string | undefined;
      }[];
    };

/** Every service with its processes, as they have reported themselves. */
export interface SuiteStatus {
  services: {
    service: "gateway" | "configs" | "capture" | "access" | "ciq" | "mcp" | "trust-scorer" | "audit";
    replicas: { status: "ready" | "unavailable" | "stopping" | "unreachable"; version: string }[];
  }[];
}

/** The organization of a service account. */
export interface OrganizationRecord {
  id: string;
  create_time: string;
  created_by: string;
  update_time: string;
  updated_by: string;
  name: string;
  display_name: string;
  description?: string | undefined;
}

/** Content of a policy. Omitted fields keep their value, or stay unset in a new record. */
export interface PolicyContent {
  policy: string | Record<string, unknown>;
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
  tags?: readonly string[] | undefined;
  display_name?: string | undefined;
  description?: string | undefined;
}

/** Content of a query; its policy is named by `policy` (as before or after the set) or by `policy_id`. */
export interface QueryContent {
  policy?: string | undefined;
  policy_id?: string | undefined;
  query: string | Record<string, unknown>;
  status: "ACTIVE" | "INACTIVE" | "DRAFT";
  display_name?: string | undefined;
  description?: string | undefined;
}

/** One change of a set: `put` creates or replaces by name. */
export type ChangeSetEntry =
  | {
      op: "put";
      collection: "authorization-policies";
      name: string;
      if_version?: number | undefined;
      record: PolicyContent;
    }
  | {
      op: "put";
      collection: "knowledge-queries";
      name: string;
      if_version?: number | undefined;
      record: QueryContent;
    }
  | {
      op: "delete";
      collection: "authorization-policies" | "knowledge-queries";
      name: string;
      if_version?: number | undefined;
    };

/** What became of one record: version 0 is a record that does not exist. */
export interface RecordTransition {
  collection: "authorization-policies" | "knowledge-queries";
  id: string;
  name: string;
  op: "put" | "delete";
  from_version: number;
  to_version: number;
}

/** What was changed together. */
export interface ChangeRecord {
  id: string;
  project_id: string;
  create_time: string;
  created_by: string;
  message?: string | undefined;
  reverts?: string | undefined;
  changes: RecordTransition[];
}

/** The same with each record before and after. */
export interface ChangeRecordWithTexts {
  id: string;
  project_id: string;
  create_time: string;
  created_by: string;
  message?: string | undefined;
  reverts?: string | undefined;
  changes: {
    collection: "authorization-policies" | "knowledge-queries";
    id: string;
    name: string;
    op: "put" | "delete";
    from_version: number;
    to_version: number;
    before?: Record<string, unknown> | undefined;
    after?: Record<string, unknown> | undefined;
  }[];
}

/** What a change set did or would do; without `id` nothing was stored. */
export interface AppliedChanges {
  id?: string | undefined;
  project_id: string;
  create_time: string;
  created_by: string;
  message?: string | undefined;
  reverts?: string | undefined;
  changes: RecordTransition[];
  dry_run?: true | undefined;
  unchanged: RecordTransition[];
  warnings: { change: number; [key: string]: unknown }[];
}

/** A page of versions, newest first. */
export interface RecordVersions {
  items: { version: number; create_time: string; created_by: string; change_id?: string | undefined }[];
  has_more: boolean;
  next_cursor: string;
}

/** Every record of a project. */
export interface ProjectExport {
  project_id: string;
  export_time: string;
  changes: Extract<ChangeSetEntry, { op: "put" }>[];
  versions: { collection: string; name: string; version: number; etag: string }[];
  records: { collection: string; name: string; record: Record<string, unknown> }[];
  secrets: { collection: string; name: string; field: string }[];
}

/** What a validation answers besides warnings. */
export interface PreviewOptions {
  preview?: boolean | undefined;
  sample?:
    | {
        subject?: { id: string } | undefined;
        resource?: { id: string } | undefined;
        input_params?: Record<string, unknown> | undefined;
        token?: Record<string, unknown> | undefined;
      }
    | undefined;
}

/** Warnings about a text, and with `preview` its statements. */
export interface Validation {
  warnings: { [key: string]: unknown }[];
  statements?:
    | {
        purpose: string;
        cypher: string;
        parameters: string[];
        plan?:
          | {
              operator: string;
              details?: string | undefined;
              index?: string | undefined;
              estimated_rows: number;
              rows?: number | undefined;
              hits?: number | undefined;
              children: { operator: string; [key: string]: unknown }[];
            }
          | undefined;
        reason?: string | undefined;
        findings: {
          code: "label-scan" | "all-nodes-scan" | "cartesian-product" | "filter-after-expand" | "open-length";
          text: string;
          operator: string;
        }[];
        rows?: number | undefined;
        hits?: number | undefined;
      }[]
    | undefined;
}

/** Changes that are not made, and what to look at. */
export interface SimulationRequest {
  project_id: string;
  changes: readonly ChangeSetEntry[];
  scope?:
    | { subject_type?: string | undefined; action?: string | undefined; resource_type?: string | undefined }
    | undefined;
  inputs?:
    | {
        input_params?: Record<string, unknown> | undefined;
        token?: Record<string, unknown> | undefined;
        signed_in?: boolean | undefined;
        request?:
          | {
              subject?: Record<string, unknown> | undefined;
              resource?: Record<string, unknown> | undefined;
              action?: Record<string, unknown> | undefined;
              context?: Context | undefined;
            }
          | undefined;
      }
    | undefined;
  budget_ms?: number | undefined;
  examples?: number | undefined;
  seed?: number | undefined;
  next?: string | undefined;
  questions?:
    | readonly {
        subject: Entity;
        action: Action;
        resource: Entity;
        context?: Context | undefined;
        token?: Record<string, unknown> | undefined;
      }[]
    | undefined;
  queries?:
    | readonly {
        name: string;
        as?: { token?: Record<string, unknown> | undefined; application?: string | undefined } | undefined;
        input_params?:
          | Record<string, string | number | boolean | readonly (string | number | boolean)[]>
          | undefined;
        values?: boolean | undefined;
      }[]
    | undefined;
}

/** Whose access changes would give or take. */
export interface Simulation {
  complete: boolean;
  milliseconds: number;
  database_hits?: number | undefined;
  questions: SimulatedQuestion[];
  undetermined: { name: string; parameters: string[] }[];
  answers?: { before?: boolean | undefined; after?: boolean | undefined }[] | undefined;
  queries?:
    | {
        query: number;
        name: string;
        complete: boolean;
        writes?: true | undefined;
        rows_before?: number | undefined;
        rows_after?: number | undefined;
        refused_before?:
          | {
              code:
                | "not_found"
                | "bearer_required"
                | "token_filter_failed"
                | "input_param_missing"
                | "unprocessable";
              errors?: string[] | undefined;
            }
          | undefined;
        refused_after?:
          | {
              code:
                | "not_found"
                | "bearer_required"
                | "token_filter_failed"
                | "input_param_missing"
                | "unprocessable";
              errors?: string[] | undefined;
            }
          | undefined;
        only_before?:
          | {
              count: number;
              examples: {
                nodes: Record<string, string>;
                row?:
                  | {
                      nodes: Record<string, unknown>;
                      relationships?: Record<string, unknown> | undefined;
                      aggregate_values?: Record<string, unknown> | undefined;
                    }
                  | undefined;
              }[];
            }
          | undefined;
        only_after?:
          | {
              count: number;
              examples: {
                nodes: Record<string, string>;
                row?:
                  | {
                      nodes: Record<string, unknown>;
                      relationships?: Record<string, unknown> | undefined;
                      aggregate_values?: Record<string, unknown> | undefined;
                    }
                  | undefined;
              }[];
            }
          | undefined;
        columns_only_before?: string[] | undefined;
        columns_only_after?: string[] | undefined;
      }[]
    | undefined;
  next?: string | undefined;
}

/** The difference for one subject type, action and resource type. */
export interface SimulatedQuestion {
  subject_type: string;
  action: string;
  resource_type: string;
  before?:
    | { granted: number; exact: boolean; low?: number | undefined; high?: number | undefined }
    | undefined;
  after?:
    | { granted: number; exact: boolean; low?: number | undefined; high?: number | undefined }
    | undefined;
  gained: {
    count: number;
    exact: boolean;
    low?: number | undefined;
    high?: number | undefined;
    examples: { subject: string; resource: string; policies: string[] }[];
  };
  lost: {
    count: number;
    exact: boolean;
    low?: number | undefined;
    high?: number | undefined;
    examples: { subject: string; resource: string; policies: string[] }[];
  };
  subjects: { examined: number; of: number; unexamined?: { count: number; examples: string[] } | undefined };
  method: "scan" | "pairs";
}

/** Recorded decisions that are decided again. */
export interface ReplayRequest {
  project_id: string;
  records: readonly AuditRecord[];
  changes?: readonly ChangeSetEntry[] | undefined;
}

/** One result for each decision, in the order of the records. */
export interface Replay {
  milliseconds: number;
  verdicts: { same: number; policy_changed: number; graph_changed: number; not_replayable: number };
  results: ReplayedDecision[];
}

/** What became of one recorded decision. */
export interface ReplayedDecision {
  record: string;
  entry?: number | undefined;
  verdict: "same" | "policy_changed" | "graph_changed" | "not_replayable";
  then?: boolean | undefined;
  now?: boolean | undefined;
  with_changes?: boolean | undefined;
  because?:
    | {
        reason:
          | "other_project"
          | "search"
          | "not_a_decision"
          | "no_decision"
          | "incomplete_question"
          | "record_cut"
          | "inputs_hashed"
          | "inputs_omitted"
          | "inputs_cut"
          | "claims_not_recorded"
          | "version_not_stored"
          | "version_not_valid"
          | "not_decided_in_time";
        missing?: string[] | undefined;
      }
    | undefined;
  with_changes_because?:
    | {
        reason:
          | "other_project"
          | "search"
          | "not_a_decision"
          | "no_decision"
          | "incomplete_question"
          | "record_cut"
          | "inputs_hashed"
          | "inputs_omitted"
          | "inputs_cut"
          | "claims_not_recorded"
          | "version_not_stored"
          | "version_not_valid"
          | "not_decided_in_time";
        missing?: string[] | undefined;
      }
    | undefined;
}

/** A batch of audit records. */
export interface AuditBatch {
  batch_id: string;
  project_id: string;
  sequence: number;
  data: AuditRecord[];
  hash: string;
  chain_hash: string;
  manifest_id: string;
  kid: string;
  alg: "ES256" | "ES384" | "PS256" | "RS256";
  signature: string;
}

/** What was signed of a batch. */
export interface AuditManifest {
  manifest_id: string;
  batch_id: string;
  project_id: string;
  sequence: number;
  prev_hash: string;
  data_hash: string;
  head_hash: string;
  created_at: string;
  kid: string;
  alg: "ES256" | "ES384" | "PS256" | "RS256";
  signature: string;
}

/** The length of a chain at a time. */
export interface AuditCheckpoint {
  checkpoint_id: string;
  project_id: string;
  sequence: number;
  head_hash: string;
  created_at: string;
  kid: string;
  alg: "ES256" | "ES384" | "PS256" | "RS256";
  signature: string;
}

import { maxChangesBytes } from "./authoring/changes.ts";
import type { ServiceName } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import type { RecordDescription } from "./records/description.ts";
import { recordDescriptions } from "./records/all-records.ts";

export type Method = "get" | "post" | "put" | "delete";

/**
 * What opens an operation: an application agent's key with a permission, a service account's bearer, or whichever of
 * the two is sent. `viewers`: open to the role `all_viewer` although it is no GET; it only reads, or its service
 * refuses the calls that write.
 */
export type Access =
  | { readonly credential: "client_key"; readonly permission: Permission }
  | { readonly credential: "service_account"; readonly viewers?: true }
  | { readonly credential: "either"; readonly permission: Permission };

/**
 * One endpoint as callers see it. The gateway answers 404 and 405 from this table before it looks at a
 * credential, and every service checks its routes against it when it starts.
 */
export interface Operation {
  readonly operation: string;
  readonly method: Method;
  /** `:name` stands for one path segment. */
  readonly path: string;
  readonly service: Exclude<ServiceName, "gateway" | "mcp" | "trust-scorer">;
  readonly access: Access;
  /** Whether a call that is lost half way can have changed something: decides between 500 and 502, 503, 504. */
  readonly writes: boolean;
  /** How long the answer may take to begin, in milliseconds, where that is longer than for others of its service. */
  readonly longest?: number;
  /** Bytes of its body at most, where these are more than for others of its service. */
  readonly largest?: number;
  /** A body that passes as it comes, of any length and for any time; the others are read whole, within limits. */
  readonly body?: "stream";
  /** An answer of any length that passes as it comes. */
  readonly answer?: "stream";
}

const serviceAccount: Access = { credential: "service_account" };
const viewers: Access = { credential: "service_account", viewers: true };
const withKey = (permission: Permission): Access => ({ credential: "client_key", permission });

const config = (operation: string, method: Method, path: string): Operation => ({
  operation,
  method,
  path: `/configs/v1${path}`,
  service: "configs",
  access: serviceAccount,
  writes: method !== "get",
});

/** A body that is only judged. */
const validate = (operation: string, path: string): Operation => ({
  ...config(operation, "post", path),
  access: viewers,
  writes: false,
});

/** Create, list, read, update and delete of one collection. */
const collection = ({ path, singular, plural, update }: RecordDescription): Operation[] => [
  config(`create_${singular}`, "post", path),
  config(`list_${plural}`, "get", path),
  config(`read_${singular}`, "get", `${path}/:id`),
  ...(update === undefined ? [] : [config(`update_${singular}`, "put", `${path}/:id`)]),
  config(`delete_${singular}`, "delete", `${path}/:id`),
];

const capture = (operation: string, method: Method, path: string): Operation => ({
  operation,
  method,
  path: `/capture/v1${path}`,
  service: "capture",
  access: withKey("Capture"),
  writes: true,
});

const readImports = (operation: string, path: string): Operation => ({
  ...capture(operation, "get", path),
  writes: false,
});

const decision = (operation: string, path: string): Operation => ({
  operation,
  method: "post",
  path: `/access/v1${path}`,
  service: "access",
  access: withKey("Authorization"),
  writes: false,
});

const audit = (operation: string, path: string): Operation => ({
  operation,
  method: "get",
  path: `/audit/v1${path}`,
  service: "audit",
  access: { credential: "either", permission: "Audit" },
  writes: false,
});

/** Every endpoint of the product. */
export const operations: readonly Operation[] = [
  config("current_organization", "get", "/organizations/current"),
  config("read_organization", "get", "/organizations/:id"),
  ...recordDescriptions.flatMap(collection),
  validate("validate_authorization_policy", "/authorization-policies/validate"),
  validate("validate_knowledge_query", "/knowledge-queries/validate"),
  // Viewers may try a set with `dry_run=true`; the service refuses them the rest.
  { ...config("apply_changes", "post", "/changes"), access: viewers },
  config("list_changes", "get", "/changes"),
  config("read_change", "get", "/changes/:id"),
  config("revert_change", "post", "/changes/:id/revert"),
  config("list_authorization_policy_versions", "get", "/authorization-policies/:id/versions"),
  config("list_knowledge_query_versions", "get", "/knowledge-queries/:id/versions"),
  config("rollback_authorization_policy", "post", "/authorization-policies/:id/rollback"),
  config("rollback_knowledge_query", "post", "/knowledge-queries/:id/rollback"),
  config("export_project", "get", "/export"),

  capture("upsert_nodes", "post", "/nodes"),
  capture("upsert_nodes", "put", "/nodes"),
  capture("delete_nodes", "post", "/nodes/delete"),
  capture("delete_node_properties", "post", "/nodes/properties/delete"),
  capture("delete_node_metadata", "post", "/nodes/properties/metadata/delete"),
  capture("put_node", "put", "/nodes/:id"),
  capture("upsert_relationships", "post", "/relationships"),
  capture("delete_relationships", "post", "/relationships/delete"),
  capture("delete_relationship_properties", "post", "/relationships/properties/delete"),

  { ...capture("create_import", "post", "/imports"), body: "stream" },
  readImports("list_imports", "/imports"),
  readImports("read_import", "/imports/:id"),
  readImports("list_rejected_lines", "/imports/:id/rejected"),
  capture("cancel_import", "delete", "/imports/:id"),
  {
    ...capture("export_graph", "get", "/export"),
    access: withKey("ReadGraph"),
    writes: false,
    answer: "stream",
  },

  {
    operation: "read_data_schema",
    method: "get",
    path: "/data-schema/v1",
    service: "capture",
    access: withKey("ReadDataSchema"),
    writes: false,
  },
  decision("evaluate", "/evaluation"),
  decision("evaluate_batch", "/evaluations"),
  decision("search_resource", "/search/resource"),
  decision("search_subject", "/search/subject"),
  decision("search_action", "/search/action"),
  {
    operation: "list_active_policies",
    method: "get",
    path: "/access/v1/policies",
    service: "access",
    access: withKey("ReadAuthZConfigs"),
    writes: false,
  },

  {
    operation: "simulate",
    method: "post",
    path: "/access/v1/simulations",
    service: "access",
    access: viewers,
    writes: false,
    longest: 130_000,
    largest: maxChangesBytes,
  },
  {
    operation: "replay",
    method: "post",
    path: "/access/v1/replays",
    service: "access",
    access: viewers,
    writes: false,
    longest: 130_000,
  },

  {
    operation: "execute",
    method: "post",
    path: "/ciq/v1/execute",
    service: "ciq",
    access: withKey("ContXIQ"),
    writes: true,
  },
  {
    operation: "whoami",
    method: "get",
    path: "/ciq/v1/whoami",
    service: "ciq",
    access: withKey("ContXIQ"),
    writes: false,
  },

  { ...audit("list_audit_logs", "/logs"), answer: "stream" },
  audit("list_audit_manifests", "/manifests"),
  audit("list_audit_checkpoints", "/checkpoints"),
];

/** Whether the role `all_viewer` may call an operation. */
export const isOpenToViewers = ({ method, operation }: Pick<Operation, "method" | "operation">): boolean =>
  method === "get" || viewerOperations.has(operation);

const viewerOperations = new Set(
  operations.flatMap(({ access, operation }) =>
    access.credential === "service_account" && access.viewers === true ? [operation] : [],
  ),
);

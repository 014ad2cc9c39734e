import { maxChangesBytes } from "./authoring/changes.ts";
import type { ServiceName } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import type { RecordDescription } from "./records/description.ts";
import { recordDescriptions } from "./records/all-records.ts";
import type { RecordKind } from "./records/kinds.ts";
import { rolesThat, type TableRole } from "./roles.ts";

export type Method = "get" | "post" | "put" | "delete";

/** Which administrators may call an operation. */
export interface AdministratorAccess {
  readonly roles: readonly TableRole[];
  /** Further roles that may call it with `dry_run=true`, which changes nothing. */
  readonly dryRun?: readonly TableRole[];
}

/**
 * The credential of an operation: an application agent's key with a permission, the bearer of an administrator (a service account
 * or a person) with one of some roles, or whichever of the two is sent.
 */
export type Access =
  | { readonly credential: "client_key"; readonly permission: Permission }
  | ({ readonly credential: "administrator" } & AdministratorAccess)
  | ({ readonly credential: "either"; readonly permission: Permission } & AdministratorAccess);

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
  /** Whether a call may have changed something before it failed: decides between 500 and 502, 503, 504. */
  readonly writes: boolean;
  /** Milliseconds until the response begins at most, where this exceeds the limit of its service. */
  readonly maxWaitMs?: number;
  /** Bytes of its body at most, where this exceeds the limit of its service. */
  readonly maxBodyBytes?: number;
  /** The body is streamed, without limits of length and time; other bodies are read whole, within limits. */
  readonly body?: "stream";
  /** The response is streamed and may have any length. */
  readonly answer?: "stream";
}

const administrator = (roles: readonly TableRole[]): Access => ({ credential: "administrator", roles });
const withKey = (permission: Permission): Access => ({ credential: "client_key", permission });

const config = (
  operation: string,
  method: Method,
  path: string,
  roles: readonly TableRole[] = rolesThat.readRecords,
): Operation => ({
  operation,
  method,
  path: `/configs/v1${path}`,
  service: "configs",
  access: administrator(roles),
  writes: method !== "get",
});

/** An operation that validates a body and stores nothing. */
const validate = (operation: string, path: string): Operation => ({
  ...config(operation, "post", path),
  writes: false,
});

const { readProjects, readRecords, changeRecords, changePolicies, giveRoles } = rolesThat;

/** Who reads, changes and deletes the records of a collection. A token of a service account is all that the account may do. */
const rolesOfKind = (
  kind: RecordKind,
): Readonly<Record<"read" | "change" | "remove", readonly TableRole[]>> => {
  switch (kind) {
    case "project":
      // Deleting a project deletes its graph and all role bindings in it.
      return { read: readProjects, change: changeRecords, remove: giveRoles };
    case "authorization_policy":
    case "knowledge_query":
      return { read: readRecords, change: changePolicies, remove: changePolicies };
    case "service_account":
    case "service_account_credential":
    case "role_binding":
      return { read: readRecords, change: giveRoles, remove: giveRoles };
    default:
      return { read: readRecords, change: changeRecords, remove: changeRecords };
  }
};

/** Create, list, read, update and delete of one collection. */
const collection = ({ kind, path, singular, plural, update }: RecordDescription): Operation[] => {
  const { read, change, remove } = rolesOfKind(kind);
  return [
    config(`create_${singular}`, "post", path, change),
    config(`list_${plural}`, "get", path, read),
    config(`read_${singular}`, "get", `${path}/:id`, read),
    ...(update === undefined ? [] : [config(`update_${singular}`, "put", `${path}/:id`, change)]),
    config(`delete_${singular}`, "delete", `${path}/:id`, remove),
  ];
};

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

const graph = (operation: string, path: string): Operation => ({
  operation,
  method: "get",
  path: `/graph/v1/nodes${path}`,
  service: "ciq",
  access: administrator(rolesThat.readGraph),
  writes: false,
});

const audit = (operation: string, path: string): Operation => ({
  operation,
  method: "get",
  path: `/audit/v1${path}`,
  service: "audit",
  access: { credential: "either", permission: "Audit", roles: rolesThat.readAudit },
  writes: false,
});

/** Every endpoint of the product. */
export const operations: readonly Operation[] = [
  config("current_administrator", "get", "/administrators/current", readProjects),
  config("current_organization", "get", "/organizations/current", readProjects),
  config("read_organization", "get", "/organizations/:id", readProjects),
  config("read_suite_status", "get", "/status"),
  ...recordDescriptions.flatMap(collection),
  validate("validate_authorization_policy", "/authorization-policies/validate"),
  validate("validate_knowledge_query", "/knowledge-queries/validate"),
  {
    ...config("apply_changes", "post", "/changes"),
    access: { credential: "administrator", roles: changePolicies, dryRun: readRecords },
  },
  config("list_changes", "get", "/changes"),
  config("read_change", "get", "/changes/:id"),
  config("revert_change", "post", "/changes/:id/revert", changePolicies),
  config("list_authorization_policy_versions", "get", "/authorization-policies/:id/versions"),
  config("list_knowledge_query_versions", "get", "/knowledge-queries/:id/versions"),
  config("rollback_authorization_policy", "post", "/authorization-policies/:id/rollback", changePolicies),
  config("rollback_knowledge_query", "post", "/knowledge-queries/:id/rollback", changePolicies),
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

  // A compressed body is short on its way, and capture reads all of its lines before it responds.
  { ...capture("create_import", "post", "/imports"), body: "stream", maxWaitMs: 300_000 },
  readImports("list_imports", "/imports"),
  readImports("read_import", "/imports/:id"),
  readImports("list_rejected_lines", "/imports/:id/rejected"),
  capture("cancel_import", "delete", "/imports/:id"),
  {
    ...capture("export_graph", "get", "/export"),
    access: { credential: "either", permission: "ReadGraph", roles: rolesThat.readGraph },
    writes: false,
    answer: "stream",
  },

  {
    operation: "read_data_schema",
    method: "get",
    path: "/data-schema/v1",
    service: "capture",
    access: { credential: "either", permission: "ReadDataSchema", roles: rolesThat.readDataSchema },
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
    access: administrator(rolesThat.simulate),
    writes: false,
    maxWaitMs: 130_000,
    maxBodyBytes: maxChangesBytes,
  },
  {
    operation: "replay",
    method: "post",
    path: "/access/v1/replays",
    service: "access",
    access: administrator(rolesThat.readAudit),
    writes: false,
    maxWaitMs: 130_000,
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

  graph("list_nodes", ""),
  graph("read_node", "/:type/:external_id"),
  graph("list_neighbours", "/:type/:external_id/neighbours"),

  { ...audit("list_audit_logs", "/logs"), answer: "stream" },
  audit("list_audit_manifests", "/manifests"),
  audit("list_audit_checkpoints", "/checkpoints"),
];

/** Which administrators may call an operation; undefined for one of application agents, or of no such name. */
export const administratorAccess = (operation: string): AdministratorAccess | undefined =>
  administratorOperations.get(operation);

const administratorOperations: ReadonlyMap<string, AdministratorAccess> = new Map(
  operations.flatMap(({ access, operation }) =>
    access.credential === "client_key" ? [] : [[operation, access] as const],
  ),
);

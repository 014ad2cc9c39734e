import type { AdministratorCaller, Caller, Grants } from "./caller.ts";
import type { Gid } from "./gid.ts";
import type { AdministratorAccess } from "./operations.ts";
import { Problem } from "./problems.ts";
import { tableRoles, type TableRole } from "./roles.ts";

const namedByAccounts = { all_editor: "owner", all_viewer: "all_viewer" } as const;

/** Every role of an administrator with where it counts: of its record and of role bindings. */
export const grantsOf = (caller: AdministratorCaller): Grants => {
  const { grants = {}, org } = caller;
  if (caller.kind !== "service_account" || caller.role === undefined) return grants;
  const role = namedByAccounts[caller.role];
  return { ...grants, [role]: [org, ...(grants[role] ?? [])] };
};

/** Where an administrator may do something. */
export type Reach = "organization" | readonly Gid[];

/** Where an administrator has one of these roles: in the whole organization, or in these projects. */
export const reachOf = (caller: AdministratorCaller, roles: readonly TableRole[]): Reach => {
  const grants = grantsOf(caller);
  const scopes = new Set(roles.flatMap((role) => grants[role] ?? []));
  return scopes.has(caller.org) ? "organization" : [...scopes];
};

/** Whether a reach holds a project, or with `undefined` what belongs to the organization alone. */
export const reaches = (reach: Reach, projectId: Gid | undefined): boolean =>
  reach === "organization" || (projectId !== undefined && reach.includes(projectId));

/** Where an administrator may call an operation, with `dry_run=true` included: judged before it is known what the call is about. */
export const reachFor = (caller: AdministratorCaller, { roles, dryRun = [] }: AdministratorAccess): Reach =>
  reachOf(caller, [...roles, ...dryRun]);

/** 403 for an administrator without a role that an operation needs where it was called. */
export const roleMissing = (caller: AdministratorCaller): Problem => {
  const grants = grantsOf(caller);
  const isAccountOfOneRole = tableRoles.every((role) => role === "all_viewer" || grants[role] === undefined);
  return new Problem(
    isAccountOfOneRole && grants.all_viewer !== undefined ? "role_read_only" : "role_missing",
  );
};

/** What stands for a caller in limits, log lines and records of its changes. */
export const callerName = (caller: Caller): string =>
  caller.kind === "user" ? `${caller.issuer}#${caller.sub}` : caller.credential_kid;

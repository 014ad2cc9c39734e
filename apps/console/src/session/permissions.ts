import type { Administrator } from "@ikg/client";

/** Roles that open each operation: docs/roles.md. */
export type OperationRoles = Readonly<Record<string, readonly string[]>>;

/**
 * Whether an administrator may call an operation, so that what would be refused is not offered. The gateway and the services
 * judge by themselves.
 *
 * @param projectId the project that the call is about; undefined: about any project.
 */
export const mayCall = (
  table: OperationRoles,
  { roles }: Pick<Administrator, "roles">,
  operation: string,
  projectId: string | undefined,
): boolean => {
  const allowed = table[operation] ?? [];
  return roles.some(
    ({ role, project_id: scope }) =>
      allowed.includes(role) && (scope === undefined || projectId === undefined || scope === projectId),
  );
};

/** Whether an administrator may call an operation on what belongs to the organization alone, as service accounts do. */
export const mayCallInOrganization = (
  table: OperationRoles,
  { roles }: Pick<Administrator, "roles">,
  operation: string,
): boolean => {
  const ofOrganization = roles.filter(({ project_id: scope }) => scope === undefined);
  return mayCall(table, { roles: ofOrganization }, operation, undefined);
};

import { operations } from "./operations.ts";
import type { Permission } from "./permissions.ts";
import type { TableRole } from "./roles.ts";

/**
 * Permissions that open operations of administrators to an agent, with the roles that may call these. Only they give an agent such a
 * permission, or make a key for an agent that has it: with that key they could otherwise do what their own roles refuse.
 */
export const grantorRoles: ReadonlyMap<Permission, readonly TableRole[]> = new Map(
  operations.flatMap(({ access }) =>
    access.credential === "either" ? [[access.permission, access.roles] as const] : [],
  ),
);

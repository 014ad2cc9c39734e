import { type Gid, type Grants, type Role, roles, stringOrUndefined } from "@ikg/contracts";
import { storedObject } from "./stored-object.ts";

/** A role binding as it is stored. */
export interface RoleBinding {
  readonly role: Role;
  /** Undefined: over the organization. */
  readonly project: Gid | undefined;
  /** Of a binding for people. */
  readonly claim: string | undefined;
  readonly value: string | undefined;
}

const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

/** @returns undefined for a binding of a role that this release does not know: it gives nothing. */
export const bindingOf = (
  { role, subject }: Readonly<Record<string, unknown>>,
  project: unknown,
): RoleBinding | undefined => {
  if (!isRole(role)) return undefined;
  const { claim, value } = (subject ?? {}) as Readonly<Record<string, unknown>>; // an object, as it was validated
  return {
    role,
    project: stringOrUndefined(project) as Gid | undefined,
    claim: stringOrUndefined(claim),
    value: stringOrUndefined(value),
  };
};

/** @param pairs `data` and `project_id` of the records, as statements collect them. */
export const bindingsIn = (pairs: unknown): readonly RoleBinding[] =>
  // As the statements collect them.
  ((pairs ?? []) as readonly (readonly [unknown, unknown])[]).flatMap(
    ([data, project]) => bindingOf(storedObject(data), project) ?? [],
  );

/** The context of a request is a header: it holds the gids of this many projects beside everything else. */
const maxProjects = 150;

/**
 * Roles by where they count. A role over the organization makes those over projects superfluous, and always counts. Beyond
 * 150 projects the last ones give nothing.
 */
export const grantsOfBindings = (bindings: readonly RoleBinding[], organization: Gid): Grants => {
  const grants: Partial<Record<Role, Gid[]>> = {};
  let count = 0;
  for (const role of roles) {
    const scopes = new Set(
      bindings.filter((each) => each.role === role).map(({ project }) => project ?? organization),
    );
    if (scopes.size === 0) continue;
    // Roles over the organization count beyond the limit.
    const left = Math.max(0, maxProjects - count);
    const kept = scopes.has(organization) ? [organization] : [...scopes].sort().slice(0, left);
    if (kept.length === 0) continue;
    grants[role] = kept;
    count += kept.length;
  }
  return grants;
};

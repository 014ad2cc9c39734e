/** Values of `api_permissions` of an application agent. */
export const permissions = [
  "Authorization",
  "Capture",
  "ContXIQ",
  "EntityMatching",
  "ReadAuthZConfigs",
  "ReadDataSchema",
  "Audit",
  // Of other products: it opens nothing, so that an agent that had it before can do no more than before.
  "IKGRead",
  "ReadGraph",
] as const;

export type Permission = (typeof permissions)[number];

/** Roles that the record of a service account may name, over its organization; see `roles.ts`. */
export const accountRoles = ["all_editor", "all_viewer"] as const;

export type AccountRole = (typeof accountRoles)[number];

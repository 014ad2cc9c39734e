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

/** Roles of a service account: everything, or reading only. */
export const roles = ["all_editor", "all_viewer"] as const;

export type Role = (typeof roles)[number];

/** Values of `api_permissions` of an application agent. */
export const permissions = [
  "Authorization",
  "Capture",
  "ContXIQ",
  "EntityMatching",
  "ReadAuthZConfigs",
  "ReadDataSchema",
  "Audit",
  "IKGRead",
] as const;

export type Permission = (typeof permissions)[number];

/** Roles of a service account: everything, or reading only. */
export const roles = ["all_editor", "all_viewer"] as const;

export type Role = (typeof roles)[number];

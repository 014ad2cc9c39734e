/** Values of `api_permissions` of an application agent (api specification 2.3). */
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

/** Roles of a service account: everything, or reading only (api specification 2.2). */
export const roles = ["all_editor", "all_viewer"] as const;

export type Role = (typeof roles)[number];
